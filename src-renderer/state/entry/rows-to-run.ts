// The rows of the editor that a run takes: of failed rows that the user fixes, those that differ from what ran.
import type { JsonObject, JsonValue } from '#contract';
import { runNumbers, type SheetModel } from './grid/sheet-model.ts';
import type { Row, SheetState } from './grid/sheet-change.ts';
import type { InputField, SheetColumn } from './grid/sheet-columns.ts';
import type { StreamedRows } from './rows-text.ts';

export type RowsToRun = SheetState & {
  readonly fields: readonly InputField[];
  /** Numbers of the rows in a rerun; undefined if it would number them from 1. */
  readonly numbers: readonly number[] | undefined;
  /** `again`: failed rows, none of which was changed. */
  readonly which: 'all' | 'changed' | 'again';
};

/** The state of a `RowEditor`. */
type Prepared = {
  readonly sheet: SheetModel;
  readonly origin: { readonly rows: 'all' | 'failed' } | undefined;
  readonly numbers: RowsToRun['numbers'];
  /** The rows that were changed since they ran; undefined: it is not known. */
  readonly changed: ReadonlySet<Row> | undefined;
  readonly takesAll: boolean;
};

export function rowsToRun({ sheet, origin, numbers, changed, takesAll }: Prepared): RowsToRun {
  const { rows, layout, columns, fields } = sheet;
  const all: RowsToRun = { rows, layout, columns, fields, numbers, which: 'all' };
  if (changed === undefined || origin?.rows !== 'failed') return all;
  if (changed.size === 0) return { ...all, which: 'again' };
  if (takesAll || changed.size === rows.length) return all;
  const edited = rows.filter((row) => changed.has(row));
  return { ...all, rows: edited, numbers: runNumbers(edited), which: 'changed' };
}

/** The rows of a run as they ran, to tell which rows of a sheet differ from them. */
export class RanRows {
  readonly #rows: ReadonlyMap<number, JsonObject>;
  #columns: readonly SheetColumn[] = [];
  /** By row of a sheet with these columns. */
  #answers = new WeakMap<Row, boolean>();

  constructor({ rows, numbers }: StreamedRows) {
    this.#rows = new Map(rows.map((row, index) => [numbers[index] ?? 0, row]));
  }

  /** The rows that were edited since they ran, or have not run. */
  changedIn(rows: readonly Row[], columns: readonly SheetColumn[]): ReadonlySet<Row> {
    if (columns !== this.#columns) this.#answers = new WeakMap();
    this.#columns = columns;
    return new Set(rows.filter((row) => this.#isChanged(row)));
  }

  #isChanged(row: Row): boolean {
    const known = this.#answers.get(row);
    if (known !== undefined) return known;
    const ran = this.#rows.get(row.origin ?? 0);
    const isChanged = ran === undefined || !isSameRow(row, ran, this.#columns);
    this.#answers.set(row, isChanged);
    return isChanged;
  }
}

function isSameRow({ cells }: Row, ran: JsonObject, columns: readonly SheetColumn[]): boolean {
  let fields = 0;
  for (const { name, slot } of columns) {
    const cell = cells[slot];
    if (cell === undefined) continue;
    if (!Object.hasOwn(ran, name) || !isSameValue(cell, ran[name])) return false;
    fields += 1;
  }
  return fields === Object.keys(ran).length;
}

const isSameValue = (one: JsonValue, other: JsonValue | undefined): boolean =>
  one === other || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other));
