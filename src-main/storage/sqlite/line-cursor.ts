// Finds single lines of a run's rows or outputs. Consecutive positions are quick, since their batch is read once.
import { isJsonObject, type JsonObject } from '../../base/json-value.ts';
import type { Column } from '../../domain/query/column.ts';
import type { BatchQueries } from './batch-queries.ts';

/** A line that is too large to be looked into. */
export const largeLine = Symbol('large line');
/** Undefined: the run has no such line. */
export type Line = string | typeof largeLine | undefined;

/** Duration of one step of a query, in ms: other reads of the thread wait for it. */
export const stepMs = 20;

/** Consecutive lines; without bytes they are too large to be looked into. */
export type LineBatch = {
  readonly firstRow: number;
  readonly rows: number;
  readonly bytes: Uint8Array | undefined;
};

/** The stored lines from the batch of a row on; undefined past the last row. Throws `data_unreadable`, `run_not_found`. */
export function lineBatchAt(
  batches: BatchQueries,
  { runId, of, position }: { readonly runId: string; readonly of: Column['of']; readonly position: number },
): LineBatch | undefined {
  if (of === 'output') {
    const batch = batches.outputBatch(runId, position, 'outputs');
    return batch && { firstRow: batch.firstRow, rows: batch.rows, bytes: batch.bytes };
  }
  const batch = batches.rowBatch({ runId }, position);
  return batch && { firstRow: batch.firstRow, rows: batch.rows, bytes: batch.lines };
}

export class LineCursor {
  readonly #read: (position: number) => LineBatch | undefined;
  #firstRow = 0;
  #rows = 0;
  #lines: readonly string[] | undefined;

  constructor(read: (position: number) => LineBatch | undefined) {
    this.#read = read;
  }

  /** Over the rows of a run, or over its outputs. */
  static over(batches: BatchQueries, runId: string, of: Column['of']): LineCursor {
    return new LineCursor((position) => lineBatchAt(batches, { runId, of, position }));
  }

  /** The line of a row; an empty one is a row without an output. Throws `data_unreadable`, `run_not_found`. */
  lineAt(position: number): Line {
    if (position < this.#firstRow || position >= this.#firstRow + this.#rows) this.#load(position);
    const index = position - this.#firstRow;
    if (index < 0 || index >= this.#rows) return undefined;
    return this.#lines === undefined ? largeLine : this.#lines[index];
  }

  #load(position: number): void {
    const batch = this.#read(position);
    this.#firstRow = batch?.firstRow ?? 0;
    this.#rows = batch?.rows ?? 0;
    this.#lines =
      batch?.bytes &&
      Buffer.from(batch.bytes.buffer, batch.bytes.byteOffset, batch.bytes.length)
        .toString('utf8')
        .split('\n');
  }
}

/** Characters between two looks at the clock; a line counts for a number of them, too. */
const stepCharacters = 500_000;
const charactersOfLine = 1_000;

/** Tells a loop over lines when it has done enough work to look at the clock: after 500 short lines, or a long one. */
export class StepMeter {
  #left = stepCharacters;

  isDue(line: Line): boolean {
    return this.isDueAfter(typeof line === 'string' ? line.length : 0);
  }

  /** @param characters that were read of a row */
  isDueAfter(characters: number): boolean {
    this.#left -= charactersOfLine + characters;
    if (this.#left > 0) return false;
    this.#left = stepCharacters;
    return true;
  }
}

/** The row or the output of a line; undefined where there is none, or none that can be looked into. */
export function parseLine(line: Line): JsonObject | undefined {
  if (line === undefined || line === '' || line === largeLine) return undefined;
  const value: unknown = JSON.parse(line);
  return isJsonObject(value) ? value : undefined;
}
