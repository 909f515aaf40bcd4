// One change of a sheet, as data: it can be applied, weighed and reverted.
import type { Cell } from './cell.ts';
import type { Layout, SheetColumn } from './sheet-columns.ts';

export type Row = {
  /** Cells by slot of their column. */
  readonly cells: readonly Cell[];
  /** Number of the row in its original run. */
  readonly origin?: number | undefined;
};

/** A block of cells; both ends are inclusive. */
export type CellRange = {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
};

export type CellAddress = { readonly row: number; readonly column: number };

/** The state of the sheet that an edit is computed from. */
export type SheetState = {
  readonly rows: readonly Row[];
  readonly layout: Layout;
  readonly columns: readonly SheetColumn[];
};

export type Change = {
  /** Name of the edit, as in "Undo paste". */
  readonly label: string;
  /** The changed cells, which are selected. */
  readonly range?: CellRange;
  /** From row `at` on, `before` is replaced by `after`. */
  readonly rows?: { readonly at: number; readonly before: readonly Row[]; readonly after: readonly Row[] };
  readonly layout?: { readonly before: Layout; readonly after: Layout };
};

/** The change that reverts a change. */
export function inverted({ label, rows, layout }: Change): Change {
  return {
    label,
    ...(rows && { rows: { at: rows.at, before: rows.after, after: rows.before } }),
    ...(layout && { layout: { before: layout.after, after: layout.before } }),
  };
}

/** Approximate memory of the change, in characters. */
export function weightOf({ rows }: Change): number {
  if (rows === undefined) return 0;
  // Rows that only moved are in the sheet anyway.
  const before = new Set(rows.before);
  const moved = new Set(rows.after.filter((row) => before.has(row)));
  const all = [...rows.before, ...rows.after];
  return all.reduce((sum, row) => sum + 8 + (moved.has(row) ? 0 : rowWeight(row)), 0);
}

function rowWeight({ cells }: Row): number {
  let sum = 16 + cells.length * 8;
  for (const cell of cells) {
    if (typeof cell === 'string') sum += cell.length;
    else if (typeof cell === 'object' && cell !== null) sum += nestedWeight(cell);
  }
  return sum;
}

function nestedWeight(value: object): number {
  let sum = 16;
  const waiting: unknown[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    sum += typeof next === 'string' ? next.length : 8;
    if (typeof next !== 'object' || next === null) continue;
    for (const each of Object.values(next)) waiting.push(each);
  }
  return sum;
}
