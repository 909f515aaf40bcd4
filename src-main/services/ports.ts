// Interfaces of the stores that services use. `storage` implements them for a data folder, and `team` for the database of a
// team. The specs in test/api/storage hold for each. All methods throw `store_degraded` if the store cannot be written,
// `disk_full` and `out_of_resources` if it cannot be written for now, and `data_unreadable` for damaged data.
import type { AuditQuery, AuditRecord } from '../domain/access/audit-record.ts';
import type { Column } from '../domain/query/column.ts';
import type { StatisticsStep } from '../domain/query/column-statistics.ts';
import type {
  ComparedSide,
  ComparisonPage,
  ComparisonRequest,
  ComparisonStep,
} from '../domain/query/compare-runs.ts';
import type { FindPage, FindQuery } from '../domain/query/find-values.ts';
import type {
  LocatedRow,
  SelectedNumbers,
  StoredLocateRequest,
  StoredOverviewRequest,
  StoredTableRequest,
  TableOverview,
  TablePage,
} from '../domain/query/table-page.ts';
import type { ChainRows } from '../domain/run/chain.ts';
import type { RowFailure } from '../domain/run/row-failure.ts';
import type { RowLines } from '../domain/run/row-numbers.ts';
import type { RowState } from '../domain/run/row-state.ts';
import type { RunStatistics } from '../domain/results/run-statistics.ts';
import type { RowCounts, Run } from '../domain/run/run.ts';
import type {
  PastBounds,
  RetentionBounds,
  RunWriter,
  RunQuery,
  StoredRun,
  TraceLine,
  BatchResult,
} from '../domain/run/stored-run.ts';
import type { LabelChanges } from '../domain/run/run-labels.ts';
import type { RowReader } from '../executor/ports.ts';
import type { LiveProgress } from '../executor/run/run-execution-options.ts';

/** A run and how far it has come, as they are stored. */
export type RunRecord = {
  readonly run: Run;
  readonly counts: RowCounts;
  /** Progress of rows that are not stored; absent: the run is not executing. Only pages show it. */
  readonly progress?: LiveProgress | undefined;
};

/** The records of runs. */
export interface RunRecords {
  /** The newest id of the runs that were stored at the start; undefined: there were none. */
  readonly newestRunId: string | undefined;
  /** Opens a place for a run's rows. */
  openRunWriter(expectedBytes: number | undefined): Promise<RunWriter>;
  /** The run as it was last saved; undefined if there is no such run. */
  find(runId: string): Promise<StoredRun | undefined>;
  /** Newest first. */
  list(query: RunQuery): Promise<readonly StoredRun[]>;
  /** In the order of acceptance; for a run whose record is damaged, its id and the damage. */
  listUnfinished(): Promise<readonly (StoredRun | { readonly runId: string; readonly problem: string })[]>;
  /** The whole id for its beginning or its end. Throws `run_not_found`, `invalid_input`. */
  resolveId(text: string): Promise<string>;
  hasRunOf(workflowId: string): Promise<boolean>;
  /** Ids of the runs that repeat it, newest first. */
  rerunsOf(runId: string, limit: number): Promise<readonly string[]>;
  /** Ids of the attempts of a chain, oldest first. @param limit Infinity for all */
  attemptsOf(chainId: string, limit: number): Promise<readonly string[]>;
  /** Replaces the run's record; durable when it resolves. Throws `run_not_found`. */
  save(run: Run): Promise<void>;
  /** True if retention cannot bring the store down to its maximum size. */
  isAboveSize: boolean;
  pastBounds(bounds: RetentionBounds): Promise<PastBounds>;
  /** Removes runs, and texts that neither another run nor the hashes name. */
  remove(runIds: readonly string[], retainedHashes: readonly string[]): Promise<void>;
  /** Resolves when the rows of removed runs are gone, too, or their removal is left to the next start. */
  swept(): Promise<void>;
}

/** Rows and results of stored runs. All methods but those of streams throw `run_not_found`. */
export interface RunReading {
  readCounts(runId: string): Promise<RowCounts>;
  /** How the nodes fared in the committed rows; undefined before the first commit. */
  readStatistics(runId: string): Promise<RunStatistics | undefined>;
  /**
   * The committed outputs; an empty line is a row without output.
   * @param rows of a completed run: with fewer it throws, before anything is handed out
   * @param fromRow a position: what comes before it is left out but for the beginning of a batch
   */
  readOutputs(runId: string, rows?: number, fromRow?: number): AsyncIterable<RowLines>;
  /**
   * The same in pieces of a bounded size, for readers that may be slow, and many. A line may be larger than a piece: it
   * goes on in the next one.
   */
  readOutputPieces(runId: string, rows?: number): AsyncIterable<RowLines>;
  /** The run's rows as they were accepted; from a position on as `readOutputs`. */
  readRows(runId: string, fromRow?: number): AsyncIterable<RowLines>;
  /** The first failures, in row order. */
  readFailures(runId: string, limit: number): Promise<readonly RowFailure[]>;
  /** All failures, in row order. */
  eachFailure(runId: string): AsyncIterable<RowFailure>;
  /** The lines of rows `from` to `to`, by their numbers, that have a trace. */
  readTraces(runId: string, from: number, to: number): AsyncIterable<TraceLine>;
  /** The position, from 1, of the row with that number; undefined if the run has none. */
  positionOf(runId: string, number: number): Promise<number | undefined>;
  /** Numbers of rows from position `firstRow` on. */
  readRowNumbers(runId: string, firstRow: number, rows: number): Promise<readonly number[]>;
  /** States of committed rows, `fromRow` (from 1) first; fewer than `count` where there are no more. */
  readStates(runId: string, fromRow: number, count: number): Promise<readonly RowState[]>;
}

/** Ids of the runs whose rows are a table, oldest first: of several runs each row once, with its newest answer. */
export type TableRuns = readonly string[];

/** Questions over all rows of stored runs. All methods but `find` throw `run_not_found`. */
export interface RowQueries {
  /** The fields of the rows, then those of the outputs, in the order in which they first occur; 500 at most. */
  columns(runIds: TableRuns): Promise<readonly Column[]>;
  /** Statistics of each of the columns, read as `select` reads. Memory: about 16 bytes a row and column. */
  statistics(runIds: TableRuns, columns: readonly Column[]): Promise<StatisticsStep>;
  /** Rows that a side of a comparison has in common with each of the others, by their numbers. */
  countCommonRows(side: ComparedSide, others: readonly ComparedSide[]): Promise<readonly number[]>;
  /** Compares two runs. The last comparisons are kept, so that another part of one reads only the lines of its rows. */
  compare(request: ComparisonRequest): Promise<ComparisonPage>;
  /** The same, but resolves after a quarter of a second, ready or not. The work goes on with the next call, and stops without one. */
  compareStep(request: ComparisonRequest): Promise<ComparisonStep>;
  /**
   * Searches the values of all runs for a text, the newest run first, for 250 ms at most. A search goes on with another
   * call from `next`, and stops where there is none.
   */
  find(query: FindQuery): Promise<FindPage>;
  /**
   * A page of the run's table. Each call reads the run for at most a quarter of a second; the caller calls again until the
   * page is ready, and stops the reading by not doing so.
   */
  select(runIds: TableRuns, request: StoredTableRequest): Promise<TablePage>;
  /** Numbers of a selection's rows, in its order; read as `select` reads. */
  selectNumbers(runIds: TableRuns, request: StoredTableRequest): Promise<SelectedNumbers>;
  /** Counts of the table, and a strip of the selection's rows in their order; read as `select` reads. */
  overview(runIds: TableRuns, request: StoredOverviewRequest): Promise<TableOverview>;
  /** The place of a row in the selection; read as `select` reads. */
  locate(runIds: TableRuns, request: StoredLocateRequest): Promise<LocatedRow>;
  /**
   * Counts the rows of a chain. A count goes on from the last one: an attempt that is running costs its new results.
   * @param openRunIds attempts whose rows without an output are unknown
   */
  countChainRows(runIds: TableRuns, openRunIds?: readonly string[]): Promise<ChainRows>;
}

/** The results of one run while it executes. */
export interface RunResults {
  readonly counts: RowCounts;
  readonly committedRows: number;
  readonly traceBytes: number;
  /** The value of `counts` after these results are committed. */
  countsWith(results: BatchResult): RowCounts;
  /**
   * Appends the results of the next rows; one call at a time. A shortage is waited for.
   * @param run the run's record, where it changes with these results: both are stored, or neither
   */
  commit(results: BatchResult, run?: Run): Promise<void>;
}

/** Store methods for executing a run. */
export interface RunExecutionStore {
  /** Hands out the run's rows after that one. */
  openReader(run: Pick<Run, 'runId' | 'rows'>, afterRow: number): RowReader;
  /** @param isNew whether nothing has been committed of the run */
  openResults(runId: string, isNew: boolean): Promise<RunResults>;
}

/** Who hears of unfinished runs, and the clock for their ends. */
export type UnfinishedRunListeners = {
  /** Called after each change of a run's record or progress. */
  readonly onChange: (record: RunRecord) => void;
  /** The retention clock, in ms: what the end of a run is stamped with. */
  readonly retentionNow: () => number;
};

/**
 * Runs on their way to the end: executed in this process, or by the workers of a team. The moves throw `move_not_allowed`
 * where the status has none, and resolve to undefined for a run that has ended or does not exist.
 */
export interface UnfinishedRuns {
  /** Takes up what is unfinished. Called once, before any other method. */
  recover(): Promise<void>;
  /** Takes a run that has just been accepted. */
  add(run: Run): void;
  /** The record as this process has it, newer than the stored one; undefined: the stored one counts. */
  find(runId: string): RunRecord | undefined;
  pause(runId: string): Promise<RunRecord | undefined>;
  resume(runId: string): Promise<RunRecord | undefined>;
  /** When it resolves, no node of the run runs any more. */
  cancel(runId: string): Promise<RunRecord | undefined>;
  /** Changes how people tell the run apart. */
  label(runId: string, changes: LabelChanges): Promise<RunRecord | undefined>;
  /** Called after a change of the settings. */
  applySettings(): void;
  /** Stops what this process does for them. */
  close(): Promise<void>;
}

/** Texts of workflows and tables as runs were accepted with, each under its own SHA-256. */
export interface Snapshots {
  /** Durable when it resolves. */
  put(hash: string, text: string, kind: 'workflow' | 'table'): Promise<void>;
  /** Undefined if it is not stored. */
  get(hash: string): Promise<string | undefined>;
}

/** A small document, such as the settings. `value` never shows what is not yet durable. */
export interface Document<T extends object> {
  readonly value: T;
  /** The current value, also if other processes write the document; `value` may be a little behind then. */
  latest(): Promise<T>;
  /** Replaces the value by what `change` makes of the latest one. Throws what `change` throws, too. */
  update(change: (current: T) => T): Promise<T>;
}

/** Changes that users of a team server made, or were refused. */
export interface AuditLog {
  /** Durable when it resolves. */
  append(record: AuditRecord): Promise<void>;
  /** Newest first. */
  list(query: AuditQuery): Promise<readonly AuditRecord[]>;
}

/** True if the store can be written. */
export interface StoreHealth {
  readonly degraded: boolean;
  /** Throws `store_degraded`. */
  assertWritable(): void;
}

/** Resolves with the reason why the server should get no requests now; undefined if it may. Reasons hold no secrets. */
export type ReadyCheck = {
  readonly name: string;
  readonly check: () => Promise<string | undefined>;
  /** Figures of the last check for users; none of them makes the server less ready. */
  readonly details?: () => Readonly<Record<string, number | boolean>> | undefined;
};
