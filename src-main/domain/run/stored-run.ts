// Shapes in which runs go to a store and come back from it, whatever store it is.
import type { NodeStatistics } from '../results/node-statistics.ts';
import { runIdAmbiguous, runIdTooShort, runNotFound } from '../run-errors.ts';
import type { RowFailure } from './row-failure.ts';
import type { RunFilter } from './run-filter.ts';
import type { RowCounts, Run } from './run.ts';

/** The run's record, and what is committed of its results. */
export type StoredRun = { readonly run: Run; readonly counts: RowCounts };

export type RunQuery = RunFilter & {
  /** Only runs accepted before this one. */
  readonly before?: string | undefined;
  readonly limit?: number | undefined;
};

/** Finished runs that retention looks at, by its clock in ms and in bytes. */
export type RetentionBounds = {
  /** Runs that ended before go. */
  readonly endedBeforeMs: number;
  /** Runs that ended after stay, whatever the size. */
  readonly keepEndedAfterMs: number;
  /** Runs go, oldest first, until the store is no larger. */
  readonly maxBytes: number;
};

export type PastBounds = {
  readonly byAge: readonly string[];
  readonly bySize: readonly string[];
  /** The end of the newest of them, by the wall clock. */
  readonly newestFinishedAt: string | undefined;
  /** True if the store stays above its maximum size, because the remaining runs are too young to be removed. */
  readonly isAboveSize: boolean;
};

/** Rows as they arrive. */
export type ArrivingRows = {
  /** Lines of JSON, each ended by a newline. Without numbers and reused values a piece may end inside a line. */
  readonly bytes: Uint8Array;
  /** Row numbers; in all pieces or in none. */
  readonly numbers?: readonly number[] | undefined;
  /** Reused node values, one line a row, empty for none; in all pieces or in none. */
  readonly reused?: Uint8Array | undefined;
};

/** A run's rows while they arrive. `commit` is the moment at which the run exists. */
export type RunWriter = {
  /** Takes the next rows. The bytes are the caller's again when it resolves. Throws `disk_full`, `store_degraded`. */
  append(rows: ArrivingRows): Promise<void>;
  /** The numbers of all rows, before the first one arrives; without them rows go by their positions. */
  setNumbers(numbers: readonly number[]): void;
  /** Makes the run durable, with all of its rows. Throws as `append`. */
  commit(run: Run): Promise<void>;
  /** Leaves nothing behind. Does nothing after a commit. */
  abandon(): Promise<void>;
};

/** The results of consecutive rows. */
export type BatchResult = {
  readonly rows: number;
  /** One line a row, each ended by a newline; an empty line for a row that has no output. */
  readonly outputs: Uint8Array;
  /** `rowStateBytes` a row. */
  readonly states: Uint8Array;
  readonly failures: readonly RowFailure[];
  /** Lines in row order, each ended by a newline: one for every failed row, and for others whose trace is kept. */
  readonly trace: Uint8Array;
  readonly nodes: readonly NodeStatistics[];
};

/** A line of a run's trace, and the number of the row that it is of. */
export type TraceLine = { readonly row: number; readonly line: string };

/** Hashes of the texts that the run needs. */
export const snapshotsOf = ({ workflowHash, sources = [] }: Run): readonly string[] => [
  workflowHash,
  ...sources.map(({ hash }) => hash),
];

/** Time at which the run ended by the retention clock, in ms; null while it is unfinished. */
export function endedAtMs({ finishedAt, retentionStamp }: Run): number | null {
  if (finishedAt === null) return null;
  return retentionStamp ?? Date.parse(finishedAt);
}

/** The part of a stored record that only a pinned run has: a quote inside a text is escaped there. */
export const pinnedMark = '"isPinned":true';

/** Fewer characters would mean another run tomorrow. */
const minCharacters = 4;
const wholeLength = 36;

/**
 * The id that a person meant who wrote its beginning or its end. A whole id is given back as it is.
 * Throws `run_not_found`, or `invalid_input` for a piece that is too short or fits several.
 */
export function findRunId(text: string, ids: Iterable<string>): string {
  if (text.length >= wholeLength) return text;
  if (text.length < minCharacters) throw runIdTooShort(text, minCharacters);
  const piece = text.toLowerCase();
  const found = [...ids].filter((id) => id.startsWith(piece) || id.endsWith(piece)).sort();
  const [first] = found;
  if (first === undefined) throw runNotFound();
  if (found.length > 1) throw runIdAmbiguous(text, found);
  return first;
}
