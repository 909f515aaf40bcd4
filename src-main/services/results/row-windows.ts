// Reads rows and outputs of a run one window at a time, for a table. Both the size of an answer and the bytes that one
// call reads are bounded.
import type { JsonObject } from '../../base/json-value.ts';
import { eachLine } from '../../domain/rows/line-bytes.ts';
import { parseInOrder } from '../../domain/rows/name-order.ts';
import { previewRow, type RowPreview } from '../../domain/rows/preview-row.ts';
import { rowNumberAt, type RowLines } from '../../domain/run/row-numbers.ts';

export type WindowQuery = {
  /** A position, from 1. */
  readonly from: number;
  readonly count: number;
};

export type ShownRow = RowPreview & {
  readonly position: number;
  /** Its number. */
  readonly row: number;
  readonly bytes: number;
};

export type ShownWindow = {
  readonly rows: readonly ShownRow[];
  /** The position to go on from. */
  readonly next: number;
};

/** Characters of one answer, all cells together. */
const maxCharacters = 250_000;
/** Bytes after which one call stops reading: a fraction of a second. */
const maxBytes = 8 * 1024 * 1024;

/** @param lines whole ones; the first piece may begin before the window */
export async function readWindow(lines: AsyncIterable<RowLines>, query: WindowQuery): Promise<ShownWindow> {
  const window = new Window(query);
  for await (const piece of lines) if (!window.take(piece)) break;
  return window;
}

class Window implements ShownWindow {
  readonly rows: ShownRow[] = [];
  next: number;
  readonly #query: WindowQuery;
  #characters = 0;
  #bytes = 0;

  constructor(query: WindowQuery) {
    this.#query = query;
    this.next = query.from;
  }

  /** True if there is room for more. */
  take(piece: RowLines): boolean {
    const lines = [...eachLine(piece.bytes)];
    this.#bytes += piece.bytes.length;
    for (let index = this.next - piece.firstRow; index < lines.length; index += 1) {
      if (this.#isFull) return false;
      this.#add(rowNumberAt(piece, index), lines[index] ?? new Uint8Array());
    }
    return !this.#isFull && this.#bytes < maxBytes;
  }

  get #isFull(): boolean {
    return this.rows.length >= this.#query.count || this.#characters >= maxCharacters;
  }

  #add(row: number, line: Uint8Array): void {
    const position = this.next;
    this.next += 1;
    const preview: RowPreview =
      line.length === 0 ? { fields: [] } : previewRow(parseInOrder(textOf(line)) as JsonObject);
    this.rows.push({ position, row, bytes: line.length, ...preview });
    this.#characters += 50;
    for (const { name, text } of preview.fields) this.#characters += 50 + name.length + text.length;
  }
}

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
