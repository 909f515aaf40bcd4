// Some rows of a sheet as a sheet of their own. An edit of the shown rows becomes an edit of all rows, with one history.
import type { Cell } from './cell.ts';
import type { Change, CellAddress, Row } from './sheet-change.ts';
import type { SheetModel } from './sheet-model.ts';

/** A sheet that the grid shows and edits. */
export type EditableSheet = Pick<
  SheetModel,
  | 'rows'
  | 'layout'
  | 'columns'
  | 'fields'
  | 'rowCount'
  | 'isReadOnly'
  | 'canUndo'
  | 'canRedo'
  | 'cell'
  | 'numberOf'
  | 'apply'
  | 'undo'
  | 'redo'
  | 'whole'
>;

type Shown = {
  /** All rows of the sheet. */
  readonly all: readonly Row[];
  readonly rows: readonly Row[];
  /** Index of each shown row among all rows. */
  readonly indexes: readonly number[];
};

export class FilteredSheet implements EditableSheet {
  readonly #sheet: SheetModel;
  readonly #matches: (row: Row) => boolean;
  /** Rows that were edited here: they stay although they may no longer match. */
  readonly #edited = new WeakSet<Row>();
  /** Filtered when it is read first: a component that creates the sheet does not depend on its rows. */
  #shown: Shown = { all: [], rows: [], indexes: [] };

  constructor(sheet: SheetModel, isShown: (row: Row) => boolean) {
    this.#sheet = sheet;
    this.#matches = isShown;
  }

  get whole(): SheetModel {
    return this.#sheet;
  }

  get rows(): readonly Row[] {
    const all = this.#sheet.rows;
    if (this.#shown.all !== all) this.#shown = this.#filter(all);
    return this.#shown.rows;
  }

  get layout(): EditableSheet['layout'] {
    return this.#sheet.layout;
  }

  get columns(): EditableSheet['columns'] {
    return this.#sheet.columns;
  }

  get fields(): EditableSheet['fields'] {
    return this.#sheet.fields;
  }

  get rowCount(): number {
    return this.rows.length;
  }

  get isReadOnly(): boolean {
    return this.#sheet.isReadOnly;
  }

  get canUndo(): boolean {
    return this.#sheet.canUndo;
  }

  get canRedo(): boolean {
    return this.#sheet.canRedo;
  }

  cell({ row, column }: CellAddress): Cell {
    const slot = this.columns[column]?.slot;
    return slot === undefined ? undefined : this.rows[row]?.cells[slot];
  }

  numberOf(row: number): number {
    return this.#sheet.numberOf(this.#indexOf(row));
  }

  apply(change: Change | undefined): void {
    if (change !== undefined) this.#sheet.apply(this.#onAllRows(change));
  }

  undo(): Change | undefined {
    return this.#onShownRows(this.#sheet.undo());
  }

  redo(): Change | undefined {
    return this.#onShownRows(this.#sheet.redo());
  }

  #isShown(row: Row): boolean {
    return this.#edited.has(row) || this.#matches(row);
  }

  #filter(all: readonly Row[]): Shown {
    const rows: Row[] = [];
    const indexes: number[] = [];
    all.forEach((row, index) => {
      if (!this.#isShown(row)) return;
      rows.push(row);
      indexes.push(index);
    });
    return { all, rows, indexes };
  }

  /** Index of a shown row among all rows; the row after the last one comes after all rows. */
  #indexOf(row: number): number {
    return this.rows.length > row ? (this.#shown.indexes[row] ?? 0) : this.#shown.all.length;
  }

  /** Replaces the shown rows one by one; the rows between them stay. Additional rows follow the last replaced row. */
  #onAllRows(change: Change): Change {
    if (change.rows === undefined) return change;
    const { at, before, after } = change.rows;
    for (const row of after) this.#edited.add(row);
    const first = this.#indexOf(at);
    const end = before.length === 0 ? first : this.#indexOf(at + before.length - 1) + 1;
    const all = this.#shown.all.slice(first, end);
    let next = 0;
    const merged: Row[] = [];
    for (const row of all) {
      const replacement = this.#isShown(row) ? after[next++] : row;
      if (replacement !== undefined) merged.push(replacement);
    }
    return { ...change, rows: { at: first, before: all, after: merged.concat(after.slice(next)) } };
  }

  /** The change with the index of its first shown row. */
  #onShownRows(change: Change | undefined): Change | undefined {
    if (change?.rows === undefined) return change;
    const { at } = change.rows;
    const shown = Math.max(
      0,
      this.rows.length === 0 ? 0 : this.#shown.indexes.findIndex((index) => index >= at),
    );
    return { ...change, rows: { ...change.rows, at: shown } };
  }
}
