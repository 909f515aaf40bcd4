// The lines of a grouped table: a head for each group, then its rows unless the group is folded.
import type { RowRange } from '../paged-rows.ts';

/** @property from index of the group's first row in the selection, from 0 @property rows number of its rows */
type GroupRange = { readonly from: number; readonly rows: number };

type TableLine =
  { readonly kind: 'row'; readonly index: number } | { readonly kind: 'group'; readonly group: number };

type Part = { readonly start: number; readonly group: number; readonly from: number; readonly rows: number };

export class GroupLayout {
  readonly #parts: readonly Part[];
  readonly #ungroupedStart: number;
  readonly #ungroupedFrom: number;
  readonly count: number;

  /**
   * @param total number of rows of the selection; those after the last group come without a head
   * @param folded indexes of folded groups
   */
  constructor(groups: readonly GroupRange[], folded: ReadonlySet<number>, total: number) {
    const parts: Part[] = [];
    let start = 0;
    let end = 0;
    for (const [group, { from, rows }] of groups.entries()) {
      const shown = folded.has(group) ? 0 : rows;
      parts.push({ start, group, from, rows: shown });
      start += 1 + shown;
      end = from + rows;
    }
    this.#parts = parts;
    this.#ungroupedStart = start;
    this.#ungroupedFrom = end;
    this.count = start + Math.max(0, total - end);
  }

  /** Content of the line at that index, from 0. */
  lineAt(index: number): TableLine {
    if (index >= this.#ungroupedStart)
      return { kind: 'row', index: this.#ungroupedFrom + index - this.#ungroupedStart };
    const part = this.#parts[this.#partAt(index)];
    if (part === undefined || part.start === index) return { kind: 'group', group: part?.group ?? 0 };
    return { kind: 'row', index: part.from + index - part.start - 1 };
  }

  /** Line of the row at that index of the selection, from 0; undefined: its group is folded. */
  lineOf(index: number): number | undefined {
    const part = this.#parts.findLast(({ from }) => from <= index);
    if (part === undefined || index >= this.#ungroupedFrom)
      return this.#ungroupedStart + index - this.#ungroupedFrom;
    return index < part.from + part.rows ? part.start + 1 + index - part.from : undefined;
  }

  /** Ranges of the selection's rows among the lines from `first` up to but not including `end`. */
  rowsAmong(first: number, end: number): readonly RowRange[] {
    const lines = Array.from(
      { length: Math.max(0, Math.min(end, this.count) - first) },
      (_, at) => first + at,
    );
    return this.rowsOf(lines);
  }

  /** Ranges of the selection's rows that the lines show. */
  rowsOf(lines: readonly number[]): readonly RowRange[] {
    const ranges: { first: number; end: number }[] = [];
    for (const index of lines) {
      const line = this.lineAt(index);
      if (line.kind !== 'row') continue;
      const last = ranges.at(-1);
      if (last?.end === line.index) last.end += 1;
      else ranges.push({ first: line.index, end: line.index + 1 });
    }
    return ranges;
  }

  /** The last part that begins at the line or before it. */
  #partAt(index: number): number {
    let low = 0;
    let high = this.#parts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#parts[middle]?.start ?? 0) <= index) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
