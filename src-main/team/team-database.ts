// Runs, their rows and results, and row sets, in the PostgreSQL database of a team: what `rowbench.db` is to a data folder.
// Several servers use it at the same time. Who calls: app opens it; RunStore, SnapshotStore and RowSetStore use it.
import type { AppError } from '../base/app-error.ts';
import type { Clock } from '../base/clock.ts';
import { Mutex, KeyedMutex } from '../base/mutex.ts';
import { sleep } from '../base/sleep.ts';
import { maxRemovedAgeMs } from '../domain/rows/row-set.ts';
import type { StoreChange, StoreDatabase, StoreQuestion } from '../storage/runs/store-database.ts';
import { Sweeper } from '../storage/runs/sweeper.ts';
import type { StoreReader } from '../storage/sqlite/answer-calls.ts';
import type { StoreWriter } from '../storage/sqlite/store-writer.ts';
import type { Arguments, MethodResult } from '../storage/sqlite/store-thread.ts';
import type { AcceptedRuns } from './segments/accept-run.ts';
import { Orphans } from './orphans.ts';
import { QuestionThread, type Asynchronous } from './queries/question-thread.ts';
import { TeamBatchQueries } from './queries/team-batch-queries.ts';
import {
  isConnectionLost,
  isUniqueViolation,
  outcomeUnknown,
  storeErrorOf,
  withStoreErrors,
} from './team-errors.ts';
import { TeamRunQueries } from './queries/team-run-queries.ts';
import { TeamWriter } from './team-writer.ts';
import type { QuestionReads } from './queries/synchronous-reads.ts';
import type { TeamSql } from './sql.ts';

type TeamDatabaseOptions = {
  /** Stays open: its owner closes it after this. */
  readonly sql: TeamSql;
  readonly clock: Clock;
  /** Path of the bundled program of the thread for questions over all rows of runs. */
  readonly questionScript: string;
  /** Undefined until the services are open. Absent: this process accepts no runs. */
  readonly accepted?: () => AcceptedRuns | undefined;
  /** false: rows that belong to nothing are left to servers. */
  readonly sweeps?: boolean;
};

type Changes = {
  readonly [Name in StoreChange]: (
    ...args: Arguments<StoreWriter, Name>
  ) => Promise<MethodResult<StoreWriter, Name>>;
};

/** Owner numbers that the sequence gives at once; see schema.ts. */
const ownersAtOnce = 64;
/** Interval of the checks for rows that a lost server left behind, in ms. */
const sweepEveryMs = 10 * 60 * 1000;
/** Interval and duration of the checks for the outcome of an acceptance whose connection was lost, in ms. */
const lookEveryMs = 500;
const lookForMs = 30_000;

export class TeamDatabase implements StoreDatabase {
  readonly newestRunId: string | undefined;
  readonly isShared = true;
  /** Called before this server removes runs; other servers may remove them at any time. */
  onRunsRemoved: () => void = () => undefined;
  readonly #sql: TeamSql;
  readonly #clock: Clock;
  readonly #orphans: Orphans;
  readonly #writer: TeamWriter;
  readonly #changes: Changes;
  /** They have the questions that one or a few statements answer; `#questions` has the others. */
  readonly #readers: readonly object[];
  readonly #questions: QuestionThread;
  readonly #sweeper: Sweeper;
  #sweepTimer: NodeJS.Timeout | undefined;
  /** Records are saved in the order of the calls. */
  readonly #saves = new KeyedMutex<string>();
  readonly #removals = new Mutex();
  readonly #owners = new Mutex();
  #nextOwner = 0;
  #ownersLeft = 0;

  private constructor(
    { sql, clock, questionScript, accepted = () => undefined }: TeamDatabaseOptions,
    newestRunId: string | undefined,
  ) {
    this.newestRunId = newestRunId;
    this.#sql = sql;
    this.#clock = clock;
    this.#orphans = new Orphans(sql);
    this.#writer = new TeamWriter(sql, this.#orphans, accepted);
    this.#changes = this.#changesOf(this.#writer);
    const runs = new TeamRunQueries(sql);
    const batches = new TeamBatchQueries(sql);
    this.#questions = new QuestionThread(questionScript, readsOf(runs, batches));
    this.#readers = [runs, batches];
    this.#sweeper = new Sweeper(() => this.#orphans.sweep());
  }

  async #beginSweeping(): Promise<void> {
    await withStoreErrors(() => this.#removeOldSets());
    this.#sweeper.sweepSoon();
    this.#sweepTimer = setInterval(() => void this.#sweepAgain(), sweepEveryMs).unref();
  }

  async #sweepAgain(): Promise<void> {
    // After a failure, the next interval removes them.
    await this.#removeOldSets().catch(() => undefined);
    this.#sweeper.sweepSoon();
  }

  /** Other servers may still bring back sets that were removed lately. */
  #removeOldSets(): Promise<void> {
    return this.#writer.removeSetsRemovedBefore(new Date(this.#clock.now() - maxRemovedAgeMs).toISOString());
  }

  /** Opens a database whose tables are up to date. Throws `out_of_resources` if it does not answer. */
  static async open(options: TeamDatabaseOptions): Promise<TeamDatabase> {
    const newest = await withStoreErrors(() =>
      options.sql.query<{ run_id: string }>('select run_id from rowbench.runs order by run_id desc limit 1'),
    );
    const database = new TeamDatabase(options, newest[0]?.run_id);
    if (options.sweeps !== false) await database.#beginSweeping();
    return database;
  }

  /** Does nothing: the database itself refuses changes that it cannot store. */
  assertWritable(): void {}

  nextOwner(): Promise<number> {
    return this.#owners.run(async () => {
      if (this.#ownersLeft === 0) {
        const [block] = await withStoreErrors(() =>
          this.#sql.query<{ first: number }>(`select nextval('rowbench.owners') as first`),
        );
        this.#nextOwner = block?.first ?? 0;
        this.#ownersLeft = ownersAtOnce;
      }
      this.#ownersLeft -= 1;
      return this.#nextOwner++;
    });
  }

  /**
   * Changes the store durably. Throws `disk_full` or `out_of_resources` if nothing was changed and the call may be repeated,
   * `store_degraded` if the outcome is unknown.
   */
  write<Name extends StoreChange>(
    method: Name,
    ...args: Arguments<StoreWriter, Name>
  ): Promise<MethodResult<StoreWriter, Name>> {
    return withStoreErrors(() => this.#changes[method](...args));
  }

  /** Reads committed data. Throws `data_unreadable`, `out_of_resources`, and the errors of the method. */
  read<Name extends StoreQuestion>(
    method: Name,
    ...args: Arguments<StoreReader, Name>
  ): Promise<MethodResult<StoreReader, Name>> {
    return withStoreErrors(async () => {
      const reader = this.#readers.find((candidate) => method in candidate);
      const methods = reader as Record<string, (...args: readonly unknown[]) => Promise<unknown>> | undefined;
      const answer = methods?.[method]?.(...args) ?? this.#questions.call(method, args);
      return (await answer) as MethodResult<StoreReader, Name>;
    });
  }

  /** Removes runs; their batches are removed later. Throws as `write`. */
  removeRuns(runIds: readonly string[], retainedHashes: readonly string[]): Promise<void> {
    this.onRunsRemoved();
    return this.#removals.run(async () => {
      await withStoreErrors(() => this.#writer.removeRuns(runIds, retainedHashes));
      this.#sweeper.sweepSoon();
    });
  }

  /** Resolves when the batches of removed runs are gone, or their removal is left to the next start. */
  swept(): Promise<void> {
    return this.#sweeper.settled();
  }

  /** Removes a row set; its batches are removed later. Throws as `write`. */
  async dropRowSet(id: string): Promise<void> {
    await withStoreErrors(() => this.#writer.dropRowSet(id));
    this.#sweeper.sweepSoon();
  }

  /** Removes rows without an owner. Never rejects: some server removes them later. */
  async abandonRows(owner: number): Promise<void> {
    await this.#orphans.abandon(owner).catch(() => undefined);
    this.#sweeper.sweepSoon();
  }

  /** Waits for calls that are under way, and gives up rows that were arriving. */
  async close(): Promise<void> {
    clearInterval(this.#sweepTimer);
    await this.#questions.close();
    await this.#sweeper.close();
    await this.#orphans.abandonAll().catch(() => undefined);
  }

  #changesOf(writer: TeamWriter): Changes {
    return {
      stageRows: (acceptance) => this.#orphans.stageRows(acceptance),
      stagePiece: (owner, piece) => this.#orphans.stagePiece(owner, piece),
      acceptRun: (acceptance, run) =>
        this.#decide(`run ${run.runId}`, {
          act: (onStarted) => writer.acceptRun(acceptance, run, onStarted),
          hasHappened: () => writer.wasAccepted(acceptance, run.runId),
        }),
      saveRun: (run) => this.#saves.run(run.runId, () => writer.saveRun(run)),
      putSnapshot: async (hash, kind, text) => {
        // A removal that was requested before may remove the text.
        await this.#removals.settled();
        await writer.putSnapshot(hash, kind, text);
      },
      keepRowSet: (acceptance, set, replaced) =>
        this.#decide(`row set "${set.name}"`, {
          act: (onStarted) => writer.keepRowSet(acceptance, { set, replaced }, onStarted),
          hasHappened: () => writer.wasStored(acceptance, set.id),
        }),
      saveRowSet: (set) => this.#saves.run(set.id, () => writer.saveRowSet(set)),
    };
  }

  /**
   * Makes a change once. If the connection is lost before the answer comes, the change may have happened: then the
   * database is asked.
   * @param act calls its argument once the change may happen
   */
  async #decide(
    what: string,
    {
      act,
      hasHappened,
    }: {
      readonly act: (onStarted: () => void) => Promise<void>;
      readonly hasHappened: () => Promise<boolean>;
    },
  ): Promise<void> {
    let hasStarted = false;
    try {
      await act(() => {
        hasStarted = true;
      });
    } catch (error) {
      const isUndecided = hasStarted && isConnectionLost(error);
      if (!isUndecided && !isUniqueViolation(error)) throw error;
      if (!(await this.#look(hasHappened, outcomeUnknown(what, error)))) throw error;
    }
  }

  /** Asks until the database answers; throws the error if it does not. */
  async #look(hasHappened: () => Promise<boolean>, unknown: AppError): Promise<boolean> {
    const until = this.#clock.monotonic() + lookForMs;
    for (;;) {
      try {
        return await hasHappened();
      } catch (error) {
        const isPassing = storeErrorOf(error) !== error;
        if (!isPassing || this.#clock.monotonic() >= until) throw unknown;
      }
      await sleep(this.#clock, lookEveryMs);
    }
  }
}

const readsOf = (runs: TeamRunQueries, batches: TeamBatchQueries): Asynchronous<QuestionReads> => ({
  newestRun: (query) => runs.newestRun(query),
  rowBatch: (owner, row) => batches.rowBatch(owner, row),
  outputBatch: (runId, row, part) => batches.outputBatch(runId, row, part),
  extent: (runId) => batches.extent(runId),
  rowNumbers: (runId, firstRow, rows) => batches.rowNumbers(runId, firstRow, rows),
  positionOfNumber: (runId, number) => batches.positionOfNumber(runId, number),
  nextFailedBatch: (runId, row) => batches.nextFailedBatch(runId, row),
  piece: (address) => batches.piece(address),
});
