// A sheet as one page shows it: the selection, the open editor, the column widths, and the actions that keys, menu and
// pointer trigger.
import { SvelteMap } from 'svelte/reactivity';
import { cellText, readCell, type Cell } from './cell.ts';
import { isNested } from './cell-preview.ts';
import * as columnEdits from './column-edits.ts';
import { allowedWidth, type Widths } from './column-layout.ts';
import * as rowEdits from './row-edits.ts';
import * as selections from './selection.ts';
import { SheetClipboard } from './sheet-clipboard.svelte.ts';
import type { Change, CellAddress, CellRange } from './sheet-change.ts';
import type { SheetVerb } from './sheet-keys.ts';
import type { EditableSheet } from './filtered-sheet.ts';

export type CellEdit = {
  readonly address: CellAddress;
  /** The initial text; if the user leaves it unchanged, the cell does not change. */
  readonly text: string;
  /** True if typing started the edit; arrow keys then end it. */
  readonly isTyped: boolean;
  /** True if the cell is edited as JSON in a dialog. */
  readonly isApart: boolean;
};

export class SheetView {
  readonly model: EditableSheet;
  readonly clipboard = new SheetClipboard(this);
  #selection = $state.raw(selections.cellSelection({ row: 0, column: 0 }));
  #edit = $state.raw<CellEdit | undefined>();
  readonly #widths = new SvelteMap<number, number>();
  #announcement = $state('');
  /** Column where the user first pressed Tab, and the selection after the last Tab. */
  #tabbed: { readonly from: number; readonly to: selections.Selection } | undefined;

  constructor(model: EditableSheet) {
    this.model = model;
  }

  get selection(): selections.Selection {
    return selections.clamped(this.#selection, selections.sizeOf(this.model));
  }

  get range(): CellRange {
    return selections.rangeOf(this.selection);
  }

  /** The cell that typed text goes to. */
  get active(): CellAddress {
    return this.selection.anchor;
  }

  get edit(): CellEdit | undefined {
    return this.#edit;
  }

  get widths(): Widths {
    return this.#widths;
  }

  /** The screen reader's announcement of the latest action. */
  get announcement(): string {
    return this.#announcement;
  }

  select(selection: selections.Selection): void {
    this.#selection = selection;
  }

  selectCell(address: CellAddress): void {
    this.select(selections.cellSelection(address));
  }

  /** Selects the cell unless the user has chosen another one by now. Returns whether it did. */
  startAt(address: CellAddress): boolean {
    const { top, bottom, left, right } = this.range;
    if (top + bottom + left + right > 0 || this.edit !== undefined) return false;
    this.selectCell(address);
    return true;
  }

  /** Extends the selection from the active cell to that cell. */
  extendTo(head: CellAddress): void {
    this.select({ anchor: this.selection.anchor, head });
  }

  selectColumns(from: number, to: number): void {
    const { rows } = selections.sizeOf(this.model);
    this.select({ anchor: { row: 0, column: from }, head: { row: Math.max(0, rows - 2), column: to } });
  }

  selectRows(from: number, to: number): void {
    const { columns } = selections.sizeOf(this.model);
    this.select({ anchor: { row: from, column: 0 }, head: { row: to, column: columns - 1 } });
  }

  /** Moves the selection; returns false if the key does not move it. */
  step(step: selections.SelectionStep): boolean {
    const selection = selections.stepped(this.model, this.selection, step);
    if (selection !== undefined) this.select(selection);
    return selection !== undefined;
  }

  /** Moves to the next or previous cell; returns false at the ends of the sheet. */
  tab(by: 1 | -1): boolean {
    const next = selections.nextCell(this.model, this.active, by);
    if (next === undefined) return false;
    const from = this.#tabbed?.to === this.#selection ? this.#tabbed.from : this.active.column;
    this.selectCell(next);
    this.#tabbed = { from, to: this.#selection };
    return true;
  }

  /** Moves to the next or previous row, in the column where the user first pressed Tab. */
  enter(by: 1 | -1): void {
    const column = this.#tabbed?.to === this.#selection ? this.#tabbed.from : this.active.column;
    this.selectCell({ row: Math.max(0, this.active.row + by), column });
  }

  /** True if the selection contains the cell, or for a header its whole row or column. */
  covers({ row, column }: CellAddress, part: 'cells' | 'rows' | 'columns' | 'corner'): boolean {
    const { top, bottom, left, right } = this.range;
    const { rows, columns } = selections.sizeOf(this.model);
    if (part === 'rows' && right - left + 1 < columns) return false;
    if (part === 'columns' && bottom - top + 1 < rows - 1) return false;
    return (
      (part === 'columns' || (row >= top && row <= bottom)) &&
      (part === 'rows' || (column >= left && column <= right))
    );
  }

  resize(slot: number, width: number): void {
    this.#widths.set(slot, allowedWidth(width));
  }

  /** Edits the active cell: `as-is` begins with its value, `typed` with empty text. */
  beginEdit(how: 'typed' | 'as-is'): void {
    if (this.model.isReadOnly) return;
    if (this.model.columns.length === 0) this.model.apply(columnEdits.insertColumn(this.model, 0));
    const address = this.active;
    const cell = this.model.cell(address);
    const type = this.model.columns[address.column]?.type ?? 'any';
    const isTyped = how === 'typed';
    const { top, bottom, left, right } = this.range;
    if (top !== bottom || left !== right) this.selectCell(address);
    this.#edit = {
      address,
      text: isTyped ? '' : cellText(cell, type),
      isTyped,
      isApart: !isTyped && isNested(cell, type),
    };
  }

  endEdit(): void {
    this.#edit = undefined;
  }

  /** Ends the edit and stores the typed text. */
  commitText(text: string): void {
    const edit = this.#edit;
    if (edit === undefined) return;
    const isSame = !edit.isTyped && text === edit.text;
    const type = this.model.columns[edit.address.column]?.type ?? 'any';
    if (isSame) this.endEdit();
    else this.commitCell(readCell(text, type));
  }

  commitCell(cell: Cell): void {
    const edit = this.#edit;
    this.endEdit();
    if (edit !== undefined) this.model.apply(rowEdits.setCell(this.model, edit.address, cell));
  }

  fillTo(to: CellRange): void {
    this.model.apply(rowEdits.fillCells(this.model, this.range, to));
    this.select({ anchor: { row: to.top, column: to.left }, head: { row: to.bottom, column: to.right } });
  }

  /** Writes the value into every selected cell. */
  setAll(cell: Cell): void {
    const isBlankRow = this.range.top >= this.model.rowCount;
    if (isBlankRow && cell !== undefined) this.model.apply(rowEdits.setCell(this.model, this.active, cell));
    else this.model.apply(rowEdits.setCells(this.model, this.range, cell));
  }

  /** Clears the selected cells; removes all rows if all cells are selected. */
  clear(): void {
    const { top, bottom, left, right } = this.range;
    const { rowCount, columns } = this.model;
    const isAll = top === 0 && left === 0 && bottom >= rowCount - 1 && right >= columns.length - 1;
    if (!isAll) return this.setAll(undefined);
    this.model.apply(rowEdits.removeRows(this.model, this.range));
    this.selectCell({ row: 0, column: 0 });
  }

  insertRows(at: number): void {
    const { top, bottom } = this.range;
    const count = Math.min(bottom, this.model.rowCount - 1) - top + 1;
    this.model.apply(rowEdits.insertRows(this.model, Math.min(at, this.model.rowCount), Math.max(1, count)));
    this.selectCell({ row: Math.min(at, this.model.rowCount - 1), column: this.active.column });
  }

  insertColumn(at: number): void {
    this.model.apply(columnEdits.insertColumn(this.model, at));
    this.selectCell({ row: this.active.row, column: at });
  }

  moveRows(by: 1 | -1): void {
    const change = rowEdits.moveRows(this.model, this.range, by);
    this.model.apply(change);
    if (change !== undefined) this.#shift({ row: by, column: 0 });
  }

  moveColumns(by: 1 | -1): void {
    const change = columnEdits.moveColumns(this.model, this.range, by);
    this.model.apply(change);
    if (change !== undefined) this.#shift({ row: 0, column: by });
  }

  undo(): void {
    this.#announceStep('Undid', this.model.undo());
  }

  redo(): void {
    this.#announceStep('Did again:', this.model.redo());
  }

  announce(words: string): void {
    this.#announcement = words;
  }

  /** Actions that need only the selection. */
  readonly verbs: Readonly<Record<Exclude<SheetVerb, 'menu' | 'find' | 'replace'>, () => void>> = {
    edit: () => this.beginEdit('as-is'),
    clear: () => this.clear(),
    undo: () => this.undo(),
    redo: () => this.redo(),
    'select-all': () => this.select(selections.selectAll(this.model)),
    'select-rows': () => this.selectRows(this.range.top, this.range.bottom),
    'select-columns': () => this.selectColumns(this.range.left, this.range.right),
    'fill-down': () => this.model.apply(rowEdits.fillDown(this.model, this.range)),
    'move-up': () => this.moveRows(-1),
    'move-down': () => this.moveRows(1),
    'move-left': () => this.moveColumns(-1),
    'move-right': () => this.moveColumns(1),
  };

  #shift(by: CellAddress): void {
    const { anchor, head } = this.selection;
    const moved = (address: CellAddress): CellAddress => ({
      row: address.row + by.row,
      column: address.column + by.column,
    });
    this.select({ anchor: moved(anchor), head: moved(head) });
  }

  /** Announces the undone or redone step, and selects its first row unless the step replaced all rows. */
  #announceStep(words: string, change: Change | undefined): void {
    if (change === undefined) return;
    this.announce(`${words} ${change.label}`);
    const { rows } = change;
    if (rows === undefined || rows.after.length === this.model.rowCount) return;
    this.selectCell({ row: rows.at, column: this.active.column });
  }
}
