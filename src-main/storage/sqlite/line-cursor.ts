// Finds single lines of a run's rows or outputs. Consecutive positions are quick, since their batch is read once.
import { isAscii } from 'node:buffer';
import { isJsonObject, type JsonObject } from '../../base/json-value.ts';
import { countLines, newline } from '../../domain/rows/line-bytes.ts';
import type { Column } from '../../domain/query/column.ts';
import type { BatchReads } from './batch-queries.ts';
import { parseInOrder } from '../../domain/rows/name-order.ts';

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
  batches: BatchReads,
  { runId, of, position }: { readonly runId: string; readonly of: Column['of']; readonly position: number },
): LineBatch | undefined {
  if (of === 'output') {
    const batch = batches.outputBatch(runId, position, 'outputs');
    return batch && { firstRow: batch.firstRow, rows: batch.rows, bytes: batch.bytes };
  }
  const batch = batches.rowBatch({ runId }, position);
  return batch && { firstRow: batch.firstRow, rows: batch.rows, bytes: batch.lines };
}

/** Bytes of a slice, about: a string of a whole batch takes ten times as long to make and to look through. */
const sliceBytes = 16 * 1024;

/** Consecutive lines of a batch. */
type Slice = {
  readonly firstRow: number;
  readonly rows: number;
  /** Offset of its end in the batch. */
  readonly end: number;
  readonly text: string;
  lines?: readonly string[];
};

export class LineCursor {
  readonly #read: (position: number) => LineBatch | undefined;
  #batch: LineBatch | undefined;
  #slice: Slice | undefined;

  constructor(read: (position: number) => LineBatch | undefined) {
    this.#read = read;
  }

  /** Over the rows of a run, or over its outputs. */
  static over(batches: BatchReads, runId: string, of: Column['of']): LineCursor {
    return new LineCursor((position) => lineBatchAt(batches, { runId, of, position }));
  }

  /** The line of a row; an empty one is a row without an output. Throws `data_unreadable`, `run_not_found`. */
  lineAt(position: number): Line {
    const slice = this.#sliceAt(position);
    if (slice === undefined) return isIn(this.#batch, position) ? largeLine : undefined;
    slice.lines ??= slice.text.split('\n');
    return slice.lines[position - slice.firstRow];
  }

  /** Lines of consecutive rows, among them that of the row; undefined if it is too large, or there is none. Throws as `lineAt`. */
  textAround(position: number): string | undefined {
    return this.#sliceAt(position)?.text;
  }

  #sliceAt(position: number): Slice | undefined {
    if (isIn(this.#slice, position)) return this.#slice;
    if (!isIn(this.#batch, position)) {
      this.#batch = this.#read(position);
      this.#slice = undefined;
    }
    const { bytes, firstRow = 0 } = this.#batch ?? {};
    if (bytes === undefined || !isIn(this.#batch, position)) return undefined;
    const before = this.#slice;
    const isAfter = before !== undefined && position >= before.firstRow;
    this.#slice = isAfter
      ? sliceWith(bytes, position, { firstRow: before.firstRow + before.rows, start: before.end })
      : sliceWith(bytes, position, { firstRow, start: 0 });
    return this.#slice;
  }
}

const isIn = (
  range: { readonly firstRow: number; readonly rows: number } | undefined,
  position: number,
): boolean => range !== undefined && position >= range.firstRow && position < range.firstRow + range.rows;

/** The slice with the line of that row, looked for from a line on. */
function sliceWith(
  bytes: Uint8Array,
  position: number,
  { firstRow, start }: { readonly firstRow: number; readonly start: number },
): Slice {
  for (let [row, from] = [firstRow, start]; ;) {
    const newlineAt = bytes.indexOf(newline, from + sliceBytes);
    const end = newlineAt < 0 ? bytes.length : newlineAt + 1;
    const slice = bytes.subarray(from, end);
    const rows = countLines(slice);
    if (position < row + rows || end === bytes.length)
      return { firstRow: row, rows, end, text: decodeLines(slice) };
    row += rows;
    from = end;
  }
}

/** The text of some lines. */
const decodeLines = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(isAscii(bytes) ? 'latin1' : 'utf8');

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
  const value = parseInOrder(line);
  return isJsonObject(value) ? value : undefined;
}
