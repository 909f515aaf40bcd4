// Copies and pastes in the grid, and what the user can choose about the latest paste.
import { counted } from '#contract';
import { csvBlock, type CsvBlock } from './csv-block.ts';
import { copyCells, pasteText, replaceRows, rowsBelowHeader, type Copied, type Pasted } from './paste.ts';
import type { Selection } from './selection.ts';
import type { Change, CellRange, Row } from './sheet-change.ts';
import type { EditableSheet } from './filtered-sheet.ts';

/** The grid that the cells are copied from and pasted into. */
type Grid = {
  readonly model: EditableSheet;
  readonly selection: Selection;
  readonly range: CellRange;
  select: (selection: Selection) => void;
  clear: () => void;
  announce: (text: string) => void;
};

type Split = {
  readonly text: string;
  readonly csv: CsvBlock;
  /** Selection at the time of the paste. */
  readonly selection: Selection;
  /** The rows after the paste. */
  readonly rows: readonly Row[];
};

/** A pasted table whose first line names columns: the user chooses where its rows go. */
type Table = Pasted & { readonly rowCount: number };

/** Message about the latest choice, and the rows after it. */
type Outcome = { readonly text: string; readonly rows: readonly Row[] };

export type TableTarget = 'replace' | 'append' | 'here';

export class SheetClipboard {
  readonly #grid: Grid;
  #copied: Copied | undefined;
  #split = $state.raw<Split | undefined>();
  #table = $state.raw<Table | undefined>();
  #outcome = $state.raw<Outcome | undefined>();

  constructor(grid: Grid) {
    this.#grid = grid;
  }

  /** The text for the clipboard. */
  copy(): string {
    this.#copied = copyCells(this.#grid.model, this.#grid.range);
    const count = this.#copied.cells.reduce((sum, line) => sum + line.length, 0);
    this.#grid.announce(`Copied ${counted(count, 'cell')}`);
    return this.#copied.text;
  }

  cut(): string {
    const text = this.copy();
    this.#grid.clear();
    return text;
  }

  /** Pastes the text and selects the pasted cells. CSV text is split into columns. A table waits for `pasteTable`. */
  paste(text: string): void {
    const { model, selection, range } = this.#grid;
    if (model.isReadOnly) return;
    const csv = text === this.#copied?.text ? undefined : csvBlock(text);
    const pasted = { text, copied: this.#copied, csv };
    const rowCount = range.top < model.rowCount ? rowsBelowHeader(model, pasted) : undefined;
    if (rowCount !== undefined) {
      this.#table = { ...pasted, rowCount };
      return;
    }
    this.#put(text, csv);
    // Undone elsewhere, it could not be pasted otherwise.
    if (csv !== undefined && model.canUndo) this.#split = { text, csv, selection, rows: model.rows };
  }

  /** The pasted table whose rows wait for the user's choice. */
  get table(): Table | undefined {
    return this.#table;
  }

  pasteTable(to: TableTarget): void {
    const table = this.#table;
    this.#table = undefined;
    if (table === undefined) return;
    const { model, range } = this.#grid;
    const before = model.rowCount;
    const below = { top: before, bottom: before, left: 0, right: 0 };
    const change =
      to === 'replace' ? replaceRows(model, table) : pasteText(model, to === 'append' ? below : range, table);
    model.apply(change);
    this.#show(change, to === 'replace' ? 0 : model.rowCount - before);
    const pasted = counted(table.rowCount, 'row');
    const texts = {
      replace: `Replaced ${counted(before, 'row')} with ${pasted}.`,
      append: `Appended ${pasted}.`,
      here: `Pasted ${pasted}.`,
    };
    this.#outcome = { text: texts[to], rows: model.rows };
  }

  cancelTable(): void {
    this.#table = undefined;
  }

  /** Message about the latest pasted table; undefined once the rows have changed again. */
  get outcome(): string | undefined {
    return this.#outcome?.rows === this.#grid.model.rows ? this.#outcome.text : undefined;
  }

  /** The split of the latest paste; undefined once the rows have changed again. */
  get split(): CsvBlock | undefined {
    return this.#split?.rows === this.#grid.model.rows ? this.#split.csv : undefined;
  }

  /** Pastes the last text again, into one column. */
  unsplit(): void {
    if (this.split === undefined || this.#split === undefined) return;
    this.#grid.model.undo();
    this.#grid.select(this.#split.selection);
    this.#put(this.#split.text);
  }

  #put(text: string, csv?: CsvBlock): void {
    const { model, range } = this.#grid;
    const before = model.rowCount;
    const change = pasteText(model, range, { text, copied: this.#copied, csv });
    model.apply(change);
    this.#show(change, model.rowCount - before);
  }

  #show(change: Change | undefined, added: number): void {
    if (change?.range === undefined) return;
    const { top, bottom, left, right } = change.range;
    const fresh = added > 0 ? `, ${counted(added, 'new row')}` : '';
    this.#grid.announce(`Pasted ${counted(bottom - top + 1, 'row')}${fresh}`);
    this.#grid.select({ anchor: { row: top, column: left }, head: { row: bottom, column: right } });
  }
}
