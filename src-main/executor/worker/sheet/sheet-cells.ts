// The rows of a sheet as its cells: from XML to values, one row at a time.
import { isInexactIntegerText } from '../../../domain/rows/exact-json.ts';
import { count, counted } from '../../../domain/format.ts';
import { columnName, maxCellLength, maxWorksheetRows } from '../../../domain/rows/export/sheet-xml.ts';
import { dateValue, CellText } from './excel-date.ts';
import { readXml, type Attributes } from './read-xml.ts';
import { SheetProblem } from './sheet-problem.ts';
import type { WorkbookFile } from './workbook-file.ts';

export type CellValue = string | number | boolean;

export type SheetCell = {
  /** Column, from 0. */
  readonly column: number;
  /** Undefined for a formula without a result, as some programs write them. */
  readonly value: CellValue | undefined;
  /** True for a cell that the writer marked as text. */
  readonly isText: boolean;
};

const maxColumns = 16_384;

/** Types of cells with text: shared, inline, and the result of a formula. */
const textTypes: ReadonlySet<string> = new Set(['s', 'inlineStr', 'str']);

/** Calls `onRow` for each row that has a cell with a value or a formula. Throws a SheetProblem, and what `onRow` throws. */
export function readCells(
  xml: Uint8Array,
  workbook: WorkbookFile,
  onRow: (number: number, cells: readonly SheetCell[]) => void,
): void {
  const reader = new CellReader(workbook, onRow);
  readXml(xml, {
    onOpen: (name, attributes) => reader.open(name, attributes),
    onClose: (name) => reader.close(name),
    onText: (text) => reader.addText(text),
    textTooLong: () => reader.textTooLong(),
  });
}

type OpenCell = {
  readonly column: number;
  readonly type: string;
  readonly style: number;
  /** Text of the value; undefined for a cell without one. */
  text: CellText | undefined;
  hasFormula: boolean;
};

class CellReader {
  readonly #workbook: WorkbookFile;
  readonly #onRow: (number: number, cells: readonly SheetCell[]) => void;
  #row = 0;
  #column = -1;
  #cells: SheetCell[] = [];
  #cell: OpenCell | undefined;
  #isInText = false;
  #isInPhonetics = false;

  constructor(workbook: WorkbookFile, onRow: (number: number, cells: readonly SheetCell[]) => void) {
    this.#workbook = workbook;
    this.#onRow = onRow;
  }

  open(name: string, attributes: () => Attributes): void {
    const cell = this.#cell;
    if (name === 'row') this.#openRow(attributes());
    else if (name === 'c') this.#openCell(attributes());
    else if (cell === undefined) return;
    else if (name === 'f') cell.hasFormula = true;
    else if (name === 'rPh') this.#isInPhonetics = true;
    else if (name === 'v' || (name === 't' && !this.#isInPhonetics)) {
      cell.text ??= new CellText();
      this.#isInText = true;
    }
  }

  addText(text: string): void {
    if (this.#isInText) this.#cell?.text?.add(text);
  }

  close(name: string): void {
    this.#isInText = false;
    if (name === 'rPh') this.#isInPhonetics = false;
    if (name === 'c' && this.#cell !== undefined) {
      const { column, type, hasFormula } = this.#cell;
      const value = this.#valueOf(this.#cell);
      if (value !== undefined || hasFormula) this.#cells.push({ column, value, isText: textTypes.has(type) });
      this.#cell = undefined;
    }
    if (name === 'row' && this.#cells.length > 0) this.#onRow(this.#row, this.#cells);
  }

  #openRow({ r }: Attributes): void {
    this.#row = r === undefined ? this.#row + 1 : Number(r);
    if (!Number.isInteger(this.#row) || this.#row < 1 || this.#row > maxWorksheetRows)
      throw new SheetProblem(
        `the workbook is damaged: a row has no number from 1 to ${count(maxWorksheetRows)}`,
      );
    this.#column = -1;
    this.#cells = [];
  }

  #openCell({ r, t = 'n', s = '0' }: Attributes): void {
    this.#column = r === undefined ? this.#column + 1 : columnOf(r);
    if (!(this.#column < maxColumns)) throw new SheetProblem('the workbook is damaged: a cell has no place');
    this.#cell = { column: this.#column, type: t, style: Number(s), text: undefined, hasFormula: false };
  }

  /** The problem of a text that does not end, if it is that of a cell. */
  textTooLong(): SheetProblem | undefined {
    return this.#isInText ? this.#tooLong() : undefined;
  }

  #tooLong(): SheetProblem {
    return this.#problem(`has more than ${counted(maxCellLength, 'character')}`);
  }

  #valueOf({ type, style, text: written }: OpenCell): CellValue | undefined {
    const text = written?.value;
    if (written !== undefined && text === undefined) throw this.#tooLong();
    if (text === undefined || (text === '' && type === 'n')) return undefined;
    switch (type) {
      case 'n':
        return this.#number(text, style);
      case 's':
        return this.#sharedText(text);
      case 'b':
        return text === '1' || text === 'true';
      default:
        // Texts, dates that are written out, and errors such as #N/A.
        return text;
    }
  }

  #number(text: string, style: number): CellValue {
    const value = Number(text);
    if (!Number.isFinite(value)) throw this.#problem('has no number that can be read');
    if (isInexactIntegerText(text)) return text;
    const { kinds, is1904 } = this.#workbook;
    if (kinds === undefined && style > 0)
      throw this.#problem(
        'has a style that is missing in the workbook, so a date could not be told from a number. Open the workbook in Excel and save it again',
      );
    return dateValue(value, kinds?.[style] ?? 'number', is1904);
  }

  #sharedText(index: string): string {
    const { sharedTexts } = this.#workbook;
    const text = sharedTexts[Number(index)];
    if (text !== undefined) return text;
    throw Number(index) in sharedTexts
      ? this.#tooLong()
      : this.#problem('has a text that is missing in the workbook');
  }

  #problem(problem: string): SheetProblem {
    return new SheetProblem(`the cell ${cellAddress(this.#column, this.#row)} ${problem}`);
  }
}

/** `AB12` is in column 27. NaN for anything else. */
function columnOf(address: string): number {
  let column = 0;
  let at = 0;
  for (; at < address.length; at += 1) {
    const letter = address.charCodeAt(at) - 64;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
  }
  return at === 0 ? Number.NaN : column - 1;
}

/** `AB12` for column 27 and row 12. */
export const cellAddress = (column: number, row: number): string => `${columnName(column)}${row}`;
