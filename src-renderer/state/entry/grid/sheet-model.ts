// The rows for a run, as a sheet of typed cells: its values, its problems and its undo history. Edits are changes made
// elsewhere (`row-edits.ts`, `column-edits.ts`, `paste.ts`) and applied here.
import { createSubscriber } from 'svelte/reactivity';
import type { JsonObject } from '#contract';
import type { Cell } from './cell.ts';
import { History } from './history.ts';
import {
  inverted,
  weightOf,
  type Change,
  type CellAddress,
  type Row,
  type SheetState,
} from './sheet-change.ts';
import {
  emptyLayout,
  withColumns,
  withFields,
  type InputField,
  type Layout,
  type SheetColumn,
} from './sheet-columns.ts';
import { absentFields, countProblems, findCauses, type ProblemCause } from './sheet-problems.ts';
import { jsonRows, sheetOf } from './sheet-rows.ts';

/** Maximum weight of the history, in characters. A paste of 100,000 rows of five short cells weighs about 10 million. */
const maxHistory = 100_000_000;

/** Steps of undo. Those of a sheet are its own, unless its rows are a part of a text that has an order of undo. */
export type SheetHistory = Pick<History<Change>, 'canUndo' | 'canRedo' | 'add' | 'undo' | 'redo'>;

/** Reactive: components read it again after each change. */
export class SheetModel implements SheetState {
  #rows: readonly Row[] = [];
  #layout: Layout;
  #fields: readonly InputField[];
  #columns: readonly SheetColumn[];
  #edition = 0;
  #isReadOnly = false;
  /** Number of cells with a problem. */
  #problemCount: number;
  #causes: readonly ProblemCause[] | undefined;
  /** The numbers of those rows. */
  #numbered: { readonly rows: readonly Row[]; readonly numbers: readonly number[] | undefined } | undefined;
  readonly #history: SheetHistory;
  readonly #listeners = new Set<() => void>();
  readonly #watch = createSubscriber((update) => this.onChange(update));

  /** An empty sheet with a column for each field of the workflow's input node. */
  constructor(
    fields: readonly InputField[] = [],
    history: SheetHistory = new History<Change>(maxHistory, weightOf),
  ) {
    this.#history = history;
    this.#fields = fields;
    this.#layout = withColumns(emptyLayout, 0, fields);
    this.#columns = withFields(this.#layout, fields);
    this.#problemCount = 0;
  }

  static fromRows(rows: readonly JsonObject[], fields: readonly InputField[] = []): SheetModel {
    const model = new SheetModel(fields);
    model.load(rows);
    return model;
  }

  /** True if the user can only look at the rows. */
  get isReadOnly(): boolean {
    this.#watch();
    return this.#isReadOnly;
  }

  set isReadOnly(value: boolean) {
    this.#isReadOnly = value;
    this.#notify();
  }

  /** All rows; edits of columns apply to them even if only some are shown. */
  get whole(): SheetModel {
    return this;
  }

  get rows(): readonly Row[] {
    this.#watch();
    return this.#rows;
  }

  get layout(): Layout {
    this.#watch();
    return this.#layout;
  }

  get columns(): readonly SheetColumn[] {
    this.#watch();
    return this.#columns;
  }

  get fields(): readonly InputField[] {
    this.#watch();
    return this.#fields;
  }

  /** Increases with each change of the rows. */
  get edition(): number {
    this.#watch();
    return this.#edition;
  }

  get rowCount(): number {
    return this.rows.length;
  }

  get problemCount(): number {
    this.#watch();
    return this.#problemCount + absentFields(this.#sheet).length;
  }

  /** The problems by cause. Takes a look at every cell. */
  get problemCauses(): readonly ProblemCause[] {
    this.#watch();
    this.#causes ??= findCauses(this.#sheet);
    return this.#causes;
  }

  get canUndo(): boolean {
    this.#watch();
    return this.#history.canUndo;
  }

  get canRedo(): boolean {
    this.#watch();
    return this.#history.canRedo;
  }

  cell({ row, column }: CellAddress): Cell {
    const slot = this.columns[column]?.slot;
    return slot === undefined ? undefined : this.#rows[row]?.cells[slot];
  }

  /** Numbers of the rows in their original run; undefined if a rerun would number the rows from 1. */
  get runNumbers(): readonly number[] | undefined {
    const { rows } = this;
    if (this.#numbered?.rows !== rows) this.#numbered = { rows, numbers: runNumbers(rows) };
    return this.#numbered.numbers;
  }

  /** Number that the row has in the next run. */
  numberOf(row: number): number {
    return this.runNumbers?.[row] ?? row + 1;
  }

  /** The rows as they are sent. Changes after the first row was read are not included. */
  eachRow(): Generator<JsonObject> {
    return jsonRows(this.#rows, this.#columns);
  }

  toRows(): JsonObject[] {
    return [...this.eachRow()];
  }

  /** Sets the fields of the workflow's input node. Rows stay unchanged, and the history has no step for it. */
  setFields(fields: readonly InputField[]): void {
    this.#fields = fields;
    const names = new Set(this.#layout.columns.map(({ name }) => name));
    const added = fields.filter(({ name }) => !names.has(name));
    this.#setLayout(withColumns(this.#layout, this.#layout.columns.length, added));
    this.#notify();
  }

  /**
   * Sets all rows, which is no step of the history.
   * @param names columns that stand first; a row need not have them
   */
  load(rows: readonly JsonObject[], names: readonly string[] = []): void {
    const { rows: read, layout } = sheetOf(rows, this.#fields, { columns: names.map((name) => ({ name })) });
    this.#edition += 1;
    this.#rows = read;
    this.#setLayout(layout);
    this.#notify();
  }

  /** Replaces all rows, as one step of the history. `numbers`: numbers of the rows in their original run. */
  replace(rows: readonly JsonObject[], { label = 'new rows', ...options }: ReplaceOptions = {}): void {
    const after = sheetOf(rows, this.#fields, options);
    this.apply({
      label,
      rows: { at: 0, before: this.#rows, after: after.rows },
      layout: { before: this.#layout, after: after.layout },
    });
  }

  /** Applies a change as one step of the history; undefined changes nothing, and neither does a change of rows to look at. */
  apply(change: Change | undefined): void {
    if (change === undefined || this.#isReadOnly) return;
    this.#history.add(change);
    this.#make(change);
  }

  /** Reverts the latest step and returns the change that did it. */
  undo(): Change | undefined {
    const step = this.#history.undo();
    if (step === undefined) return undefined;
    const change = inverted(step);
    this.#make(change);
    return change;
  }

  /** Applies the step that was undone last, and returns it. */
  redo(): Change | undefined {
    const step = this.#history.redo();
    if (step !== undefined) this.#make(step);
    return step;
  }

  /** Calls the listener after each change, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get #sheet(): SheetState & { readonly fields: readonly InputField[] } {
    return { rows: this.#rows, layout: this.#layout, columns: this.#columns, fields: this.#fields };
  }

  #make({ rows, layout }: Change): void {
    this.#edition += 1;
    if (rows !== undefined) {
      const { at, before, after } = rows;
      const isWhole = at === 0 && before.length === this.#rows.length;
      this.#rows = isWhole
        ? after
        : this.#rows.slice(0, at).concat(after, this.#rows.slice(at + before.length));
    }
    if (layout !== undefined) this.#setLayout(layout.after);
    else if (rows !== undefined) {
      const { columns } = this.#sheet;
      this.#problemCount += countProblems(rows.after, columns) - countProblems(rows.before, columns);
    }
    this.#notify();
  }

  #setLayout(layout: Layout): void {
    this.#layout = layout;
    this.#columns = withFields(layout, this.#fields);
    this.#problemCount = countProblems(this.#rows, this.#columns);
  }

  #notify(): void {
    this.#causes = undefined;
    for (const listener of [...this.#listeners]) listener();
  }
}

type ReplaceOptions = { readonly label?: string } & Parameters<typeof sheetOf>[2];

/** Numbers of the rows in their original run; undefined unless every row has one and they are ascending. */
export function runNumbers(
  rows: readonly { readonly origin?: number | undefined }[],
): readonly number[] | undefined {
  const numbers: number[] = [];
  for (const { origin } of rows) {
    if (origin === undefined || origin <= (numbers.at(-1) ?? 0)) return undefined;
    numbers.push(origin);
  }
  return numbers;
}
