// A sheet as one page shows it: the selection, the open editor, the column widths, and the actions that keys, menu and
// pointer trigger.
import { SvelteMap } from 'svelte/reactivity';
import { counted } from '#contract';
import { cellText, readCell, type Cell } from './cell.ts';
import { isNested } from './cell-preview.ts';
import * as columnEdits from './column-edits.ts';
import { allowedWidth, type Widths } from './column-layout.ts';
import { csvBlock, type CsvBlock } from './csv-block.ts';
import { copyCells, pasteText, type Copied } from './paste.ts';
import * as rowEdits from './row-edits.ts';
import * as selections from './selection.ts';
import type { Change, Place, Range, Row } from './sheet-change.ts';
import type { SheetVerb } from './sheet-keys.ts';
import type { SheetModel } from './sheet-model.ts';

export type CellEdit = {
  readonly place: Place;
  /** The initial text; if the user leaves it unchanged, the cell does not change. */
  readonly text: string;
  /** Begun by typing: arrow keys end it. */
  readonly isTyped: boolean;
  /** As JSON, in a dialog of its own. */
  readonly isApart: boolean;
};

type Split = {
  readonly text: string;
  readonly csv: CsvBlock;
  /** Where it was pasted. */
  readonly selection: selections.Selection;
  /** The rows after the paste. */
  readonly rows: readonly Row[];
};

export class SheetView {
  readonly model: SheetModel;
  #selection = $state.raw(selections.cellSelection({ row: 0, column: 0 }));
  #edit = $state.raw<CellEdit | undefined>();
  readonly #widths = new SvelteMap<number, number>();
  #said = $state('');
  #copied: Copied | undefined;
  #split = $state.raw<Split | undefined>();
  /** Where a walk by Tab began, and what it led to. */
  #tabbed: { readonly from: number; readonly to: selections.Selection } | undefined;

  constructor(model: SheetModel) {
    this.model = model;
  }

  get selection(): selections.Selection {
    return selections.clamped(this.#selection, selections.extentOf(this.model));
  }

  get range(): Range {
    return selections.rangeOf(this.selection);
  }

  /** The cell that typing goes to. */
  get active(): Place {
    return this.selection.anchor;
  }

  get edit(): CellEdit | undefined {
    return this.#edit;
  }

  get widths(): Widths {
    return this.#widths;
  }

  /** The screen reader's announcement of the latest action. */
  get said(): string {
    return this.#said;
  }

  select(selection: selections.Selection): void {
    this.#selection = selection;
  }

  selectCell(place: Place): void {
    this.select(selections.cellSelection(place));
  }

  /** From the cell that typing goes to up to that one. */
  extendTo(head: Place): void {
    this.select({ anchor: this.selection.anchor, head });
  }

  selectColumns(from: number, to: number): void {
    const { rows } = selections.extentOf(this.model);
    this.select({ anchor: { row: 0, column: from }, head: { row: Math.max(0, rows - 2), column: to } });
  }

  selectRows(from: number, to: number): void {
    const { columns } = selections.extentOf(this.model);
    this.select({ anchor: { row: from, column: 0 }, head: { row: to, column: columns - 1 } });
  }

  /** False where the key leads nowhere. */
  step(step: selections.Step): boolean {
    const selection = selections.stepped(this.model, this.selection, step);
    if (selection !== undefined) this.select(selection);
    return selection !== undefined;
  }

  /** To the next cell or the one before; false at the ends of the sheet. */
  tab(by: 1 | -1): boolean {
    const next = selections.nextCell(this.model, this.active, by);
    if (next === undefined) return false;
    const from = this.#tabbed?.to === this.#selection ? this.#tabbed.from : this.active.column;
    this.selectCell(next);
    this.#tabbed = { from, to: this.#selection };
    return true;
  }

  /** To the next row or the one before, in the column where Tab was first pressed. */
  enter(by: 1 | -1): void {
    const column = this.#tabbed?.to === this.#selection ? this.#tabbed.from : this.active.column;
    this.selectCell({ row: Math.max(0, this.active.row + by), column });
  }

  /** Whether what is selected holds the cell, or the whole row or column whose head is meant. */
  covers({ row, column }: Place, part: 'cells' | 'rows' | 'columns' | 'corner'): boolean {
    const { top, bottom, left, right } = this.range;
    const { rows, columns } = selections.extentOf(this.model);
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
    if (this.model.columns.length === 0) this.model.apply(columnEdits.insertColumn(this.model, 0));
    const place = this.active;
    const cell = this.model.cell(place);
    const type = this.model.columns[place.column]?.type ?? 'any';
    const isTyped = how === 'typed';
    const { top, bottom, left, right } = this.range;
    if (top !== bottom || left !== right) this.selectCell(place);
    this.#edit = {
      place,
      text: isTyped ? '' : cellText(cell, type),
      isTyped,
      isApart: !isTyped && isNested(cell, type),
    };
  }

  endEdit(): void {
    this.#edit = undefined;
  }

  /** Ends the edit with what was typed. */
  commitText(text: string): void {
    const edit = this.#edit;
    if (edit === undefined) return;
    const isSame = !edit.isTyped && text === edit.text;
    const type = this.model.columns[edit.place.column]?.type ?? 'any';
    if (isSame) this.endEdit();
    else this.commitCell(readCell(text, type));
  }

  commitCell(cell: Cell): void {
    const edit = this.#edit;
    this.endEdit();
    if (edit !== undefined) this.model.apply(rowEdits.setCell(this.model, edit.place, cell));
  }

  fillTo(to: Range): void {
    this.model.apply(rowEdits.fillCells(this.model, this.range, to));
    this.select({ anchor: { row: to.top, column: to.left }, head: { row: to.bottom, column: to.right } });
  }

  /** Every selected cell gets this value. */
  setAll(cell: Cell): void {
    const isBlankRow = this.range.top >= this.model.rowCount;
    if (isBlankRow && cell !== undefined) this.model.apply(rowEdits.setCell(this.model, this.active, cell));
    else this.model.apply(rowEdits.setCells(this.model, this.range, cell));
  }

  /** The text for the clipboard. */
  copy(): string {
    this.#copied = copyCells(this.model, this.range);
    const count = this.#copied.cells.reduce((sum, line) => sum + line.length, 0);
    this.say(`Copied ${counted(count, 'cell')}`);
    return this.#copied.text;
  }

  cut(): string {
    const text = this.copy();
    this.clear();
    return text;
  }

  /** Pastes the text and selects the pasted cells. CSV text is split into columns. */
  paste(text: string): void {
    const csv = text === this.#copied?.text ? undefined : csvBlock(text);
    const { selection } = this;
    this.#put(text, csv);
    if (csv !== undefined) this.#split = { text, csv, selection, rows: this.model.rows };
  }

  /** How the latest paste was split; undefined once anything else has changed. */
  get split(): CsvBlock | undefined {
    return this.#split?.rows === this.model.rows ? this.#split.csv : undefined;
  }

  /** The text that was pasted last goes into one column after all. */
  unsplit(): void {
    if (this.split === undefined || this.#split === undefined) return;
    this.model.undo();
    this.select(this.#split.selection);
    this.#put(this.#split.text);
  }

  #put(text: string, csv?: CsvBlock): void {
    const before = this.model.rowCount;
    const change = pasteText(this.model, this.range, { text, copied: this.#copied, csv });
    this.model.apply(change);
    if (change?.range === undefined) return;
    const { top, bottom, left, right } = change.range;
    const added = this.model.rowCount - before;
    const fresh = added > 0 ? `, ${counted(added, 'new row')}` : '';
    this.say(`Pasted ${counted(bottom - top + 1, 'row')}${fresh}`);
    this.select({ anchor: { row: top, column: left }, head: { row: bottom, column: right } });
  }

  /** Blank cells; without all of its cells the sheet has no rows. */
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
    this.#tellStep('Undid', this.model.undo());
  }

  redo(): void {
    this.#tellStep('Did again:', this.model.redo());
  }

  say(words: string): void {
    this.#said = words;
  }

  /** The verbs that need nothing but the selection. */
  readonly verbs: Readonly<Record<Exclude<SheetVerb, 'menu'>, () => void>> = {
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

  #shift(by: Place): void {
    const { anchor, head } = this.selection;
    const moved = (place: Place): Place => ({ row: place.row + by.row, column: place.column + by.column });
    this.select({ anchor: moved(anchor), head: moved(head) });
  }

  /** Announces the undone or redone step, and selects its first row unless the step replaced all rows. */
  #tellStep(words: string, change: Change | undefined): void {
    if (change === undefined) return;
    this.say(`${words} ${change.label}`);
    const { rows } = change;
    if (rows === undefined || rows.after.length === this.model.rowCount) return;
    this.selectCell({ row: rows.at, column: this.active.column });
  }
}
