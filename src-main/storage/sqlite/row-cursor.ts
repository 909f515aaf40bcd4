// One row of a run at a time, with its output, state and failure. Each part is read when it is needed; rising positions are quick.
import type { RowFailure } from '../../domain/run/row-failure.ts';
import { decodeRowNumbers } from '../../domain/run/row-numbers.ts';
import { readRowState, rowStateBytes, type RowState } from '../../domain/run/row-state.ts';
import { cellsOfFailure, type NodeCell } from '../../domain/results/node-cell.ts';
import {
  cellsOfLine,
  failureOfLine,
  hasSkippedNode,
  rowOfLine,
  valuesOfLine,
} from '../../domain/results/scan-trace-line.ts';
import type { ValuePreview } from '../../domain/rows/preview-row.ts';
import { largeObject, type TestedObject, type TestedRow } from '../../domain/query/row-test.ts';
import type { Column } from '../../domain/query/column.ts';
import type { BatchReads } from './batch-queries.ts';
import { largeLine, LineCursor, parseLine, type Line } from './line-cursor.ts';

/** Row numbers that are read at once. */
const numbersAtOnce = 1_000;

/** Where the rows of a cursor are. */
type CursorSource = {
  readonly runId: string;
  /** Place of the run among those of a table of several runs, from 1. */
  readonly attempt?: number;
  /** Ids of the run's nodes, in the order in which they run; absent: cells of nodes are not read. */
  readonly nodeIds?: readonly string[] | undefined;
};

type StateBatch = { readonly firstRow: number; readonly rows: number; readonly states: DataView };

export class RowCursor implements TestedRow {
  readonly #batches: BatchReads;
  readonly runId: string;
  readonly attempt: number | undefined;
  readonly nodeIds: readonly string[];
  readonly #lines: Readonly<Record<Column['of'], LineCursor>>;
  readonly #lastRow: number;
  readonly #lastResult: number;
  readonly #hasNumbers: boolean;
  /** In the run, from 1. */
  position = 0;
  /** Characters of the parts of this row that were parsed. */
  charactersRead = 0;
  #objects: Partial<Record<Column['of'], TestedObject>> = {};
  #states: StateBatch | undefined;
  #numbers: { readonly firstRow: number; readonly numbers: readonly number[] } = { firstRow: 1, numbers: [] };
  /** Trace lines by row number. */
  #traces: {
    readonly firstRow: number;
    readonly rows: number;
    readonly lines: ReadonlyMap<number, string>;
  } = { firstRow: 1, rows: 0, lines: new Map() };

  /** Throws `run_not_found`. */
  constructor(batches: BatchReads, { runId, attempt, nodeIds = [] }: CursorSource) {
    this.#batches = batches;
    this.runId = runId;
    this.attempt = attempt;
    this.nodeIds = nodeIds;
    this.#lines = {
      input: LineCursor.over(batches, runId, 'input'),
      output: LineCursor.over(batches, runId, 'output'),
    };
    const { lastRow, lastResult, hasNumbers } = batches.extent(runId);
    this.#lastRow = lastRow;
    this.#lastResult = lastResult;
    this.#hasNumbers = hasNumbers;
  }

  /** @param position of a row of the run, from 1 */
  moveTo(position: number): void {
    this.position = position;
    this.#objects = {};
    this.charactersRead = 0;
  }

  lineAt(of: Column['of']): Line {
    return of === 'output' && !this.hasResult ? undefined : this.#lines[of].lineAt(this.position);
  }

  lineOf(of: Column['of']): string | undefined {
    const line = this.lineAt(of);
    return line === largeLine ? undefined : (line ?? '');
  }

  textAround(of: Column['of']): string | undefined {
    return of === 'output' && !this.hasResult ? undefined : this.#lines[of].textAround(this.position);
  }

  objectOf(of: Column['of']): TestedObject {
    if (of in this.#objects) return this.#objects[of];
    const line = this.lineAt(of);
    const object = line === largeLine ? largeObject : parseLine(line);
    this.#objects[of] = object;
    if (typeof line === 'string') this.charactersRead += line.length;
    return object;
  }

  get hasResult(): boolean {
    return this.position <= this.#lastResult;
  }

  get state(): RowState['state'] | undefined {
    return this.result?.state;
  }

  get ms(): number | undefined {
    const { result } = this;
    return result && result.durationMicros / 1000;
  }

  get retries(): number {
    return this.result?.retries ?? 0;
  }

  /** Undefined: the row has no result yet. */
  get result(): RowState | undefined {
    if (!this.hasResult) return undefined;
    const { position } = this;
    let batch = this.#states;
    if (batch === undefined || position < batch.firstRow || position >= batch.firstRow + batch.rows) {
      batch = this.#readStates(position);
      this.#states = batch;
    }
    return batch && readRowState(batch.states, (position - batch.firstRow) * rowStateBytes);
  }

  /** The row's number. */
  get number(): number {
    if (!this.#hasNumbers) return this.position;
    const index = this.position - this.#numbers.firstRow;
    const known = this.#numbers.numbers[index];
    if (known !== undefined) return known;
    const rows = Math.min(numbersAtOnce, this.#lastRow - this.position + 1);
    const bytes = this.#batches.rowNumbers(this.runId, this.position, rows);
    if (bytes === undefined) return this.position;
    this.#numbers = { firstRow: this.position, numbers: decodeRowNumbers(bytes) };
    return this.#numbers.numbers[0] ?? this.position;
  }

  get failure(): RowFailure | undefined {
    if (this.state !== 'failed') return undefined;
    const line = this.#traceLine;
    return line === undefined ? undefined : failureOfLine(line);
  }

  get cells(): readonly NodeCell[] | undefined {
    const line = this.#traceLine;
    if (line === undefined) return undefined;
    const cells = cellsOfLine(line);
    if (cells !== undefined) return cells;
    const failure = failureOfLine(line);
    return failure && cellsOfFailure(failure, this.nodeIds);
  }

  /** False if no trace of the row is kept. */
  get hasSkippedNode(): boolean {
    const line = this.#traceLine;
    return line !== undefined && hasSkippedNode(line);
  }

  /** Beginnings of the values that nodes gave, by index in the plan; undefined: none of the row are kept. */
  get values(): ReadonlyMap<number, ValuePreview> | undefined {
    const line = this.#traceLine;
    return line === undefined ? undefined : valuesOfLine(line);
  }

  get #traceLine(): string | undefined {
    const { firstRow, rows } = this.#traces;
    if (this.position < firstRow || this.position >= firstRow + rows) this.#readTraces();
    return this.#traces.lines.get(this.number);
  }

  #readStates(position: number): StateBatch | undefined {
    const batch = this.#batches.outputBatch(this.runId, position, 'states');
    if (batch?.bytes === undefined) return undefined;
    const { buffer, byteOffset, byteLength } = batch.bytes;
    return {
      firstRow: batch.firstRow,
      rows: batch.rows,
      states: new DataView(buffer, byteOffset, byteLength),
    };
  }

  #readTraces(): void {
    const batch = this.#batches.outputBatch(this.runId, this.position, 'trace');
    const { bytes } = batch ?? {};
    const text =
      bytes === undefined ? '' : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
    const lines = new Map<number, string>();
    for (const line of text.split('\n')) {
      const row = rowOfLine(line);
      if (row !== undefined) lines.set(row, line);
    }
    this.#traces = { firstRow: batch?.firstRow ?? this.position, rows: batch?.rows ?? 0, lines };
  }
}
