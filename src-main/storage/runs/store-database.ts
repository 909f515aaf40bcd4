// The calls that stores make to what keeps their data: `rowbench.db` of a data folder, or the database of a team. Who
// implements it: RunDatabase, and TeamDatabase in src-main/team.
import type { StoreReader } from '../sqlite/answer-calls.ts';
import type { Arguments, MethodName, MethodResult } from '../sqlite/store-thread.ts';
import type { ResultsCommit, StoreWriter } from '../sqlite/store-writer.ts';

/** Changes that every database has; `RunDatabase` has more. */
export type StoreChange =
  'stageRows' | 'stagePiece' | 'acceptRun' | 'saveRun' | 'putSnapshot' | 'keepRowSet' | 'saveRowSet';
/** Questions that are not about the file alone. */
export type StoreQuestion = Exclude<
  MethodName<StoreReader>,
  'check' | 'copyInto' | 'sharedAnswer' | 'sharedAnswerCount'
>;

/** Reads and durable changes of runs, their rows and results, and row sets. */
export interface StoreDatabase {
  readonly newestRunId: string | undefined;
  /** True if other servers change it, too: what was stored may be gone. */
  readonly isShared: boolean;
  /** Called before runs and their snapshots are removed. */
  onRunsRemoved: () => void;
  /** Throws `store_degraded`. */
  assertWritable(): void;
  /** A number for a new owner of rows. */
  nextOwner(): Promise<number>;
  /**
   * Changes the store durably. Throws `disk_full` or `out_of_resources` if nothing was changed and the call may be repeated,
   * `store_degraded` after any other failure of the store.
   */
  write<Name extends StoreChange>(
    method: Name,
    ...args: Arguments<StoreWriter, Name>
  ): Promise<MethodResult<StoreWriter, Name>>;
  /** Reads committed data. Throws `data_unreadable`, `out_of_resources`, and the errors of the method. */
  read<Name extends StoreQuestion>(
    method: Name,
    ...args: Arguments<StoreReader, Name>
  ): Promise<MethodResult<StoreReader, Name>>;
  /** Removes runs with all that belongs to them. Throws as `write`. */
  removeRuns(runIds: readonly string[], retainedHashes: readonly string[]): Promise<void>;
  /** Resolves when the batches of removed runs are gone, or their removal is left to the next start. */
  swept(): Promise<void>;
  /** Removes a row set. Throws as `write`. */
  dropRowSet(id: string): Promise<void>;
  /** Removes rows without an owner. Never rejects. */
  abandonRows(owner: number): Promise<void>;
}

/** Commits results of runs that this process executes; `StoreDatabase.write` says what it throws. */
export interface ResultsDatabase {
  appendResults(commit: ResultsCommit): Promise<void>;
}
