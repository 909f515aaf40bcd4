// One change of a sheet, as data: it can be applied, weighed and reverted.
import type { Cell } from './cell.ts';
import type { Layout, SheetColumn } from './sheet-columns.ts';

export type Row = {
  /** By slot of the column. */
  readonly cells: readonly Cell[];
  /** Its number in the run that it comes from. */
  readonly origin?: number | undefined;
};

/** Rows and columns from and up to, both within. */
export type Range = {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
};

export type Place = { readonly row: number; readonly column: number };

/** The state of the sheet that an edit is computed from. */
export type SheetState = {
  readonly rows: readonly Row[];
  readonly layout: Layout;
  readonly columns: readonly SheetColumn[];
};

export type Change = {
  /** Name of the edit, as in "Undo paste". */
  readonly label: string;
  /** The cells that it is about, to be selected. */
  readonly range?: Range;
  /** From row `at` on, `before` gives way to `after`. */
  readonly rows?: { readonly at: number; readonly before: readonly Row[]; readonly after: readonly Row[] };
  readonly layout?: { readonly before: Layout; readonly after: Layout };
};

/** The change that reverts the given one. */
export function inverted({ label, rows, layout }: Change): Change {
  return {
    label,
    ...(rows && { rows: { at: rows.at, before: rows.after, after: rows.before } }),
    ...(layout && { layout: { before: layout.after, after: layout.before } }),
  };
}

/** About the memory that the change holds on to, in characters. */
export function weightOf({ rows }: Change): number {
  if (rows === undefined) return 0;
  // Rows that only moved are held by the sheet anyway.
  const before = new Set(rows.before);
  const moved = new Set(rows.after.filter((row) => before.has(row)));
  const held = [...rows.before, ...rows.after];
  return held.reduce((sum, row) => sum + 8 + (moved.has(row) ? 0 : rowWeight(row)), 0);
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
