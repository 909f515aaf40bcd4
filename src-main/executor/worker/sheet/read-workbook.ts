import type { JsonValue } from '../../../base/json-value.ts';
import { typedCell, type CellType } from '../../../domain/rows/typed-cell.ts';
import { type SheetAnswer, type SheetJob, sheetNames } from '../../parser/sheet-protocol.ts';
import { readCells, cellAddress, type CellValue, type SheetCell } from './sheet-cells.ts';
import { SheetProblem } from './sheet-problem.ts';
import { openWorkbook, type WorkbookFile } from './workbook-file.ts';

/** The rows of a sheet, or why there are none. */
export function readWorkbook(job: SheetJob): SheetAnswer {
  try {
    const workbook = openWorkbook(job.bytes);
    const visible = workbook.sheets.filter(({ isHidden }) => !isHidden);
    const { sheets } = workbook;
    if (job.sheet === undefined && job.mustName === true && visible.length > 1)
      return { type: 'several', sheets };
    const sheet = job.sheet ?? (visible[0] ?? sheets[0])?.name;
    if (sheet === undefined) return { type: 'refused', problem: 'it has no sheets' };
    if (!sheets.some(({ name }) => name === sheet))
      return { type: 'refused', problem: noSheet(sheet, workbook) };
    const rows = new SheetRows(new Map(job.types));
    readCells(workbook.sheetXml(sheet), workbook, (number, cells) => rows.add(number, cells));
    return { type: 'rows', sheets, sheet, lines: rows.lines() };
  } catch (error) {
    if (error instanceof SheetProblem) return { type: 'refused', problem: error.message };
    throw error;
  }
}

const noSheet = (sheet: string, { sheets }: WorkbookFile): string =>
  `it has no sheet "${sheet}". Its sheets are ${sheetNames(sheets)}`;

// Rows of JSON from a sheet: its first row with values names the fields, each further one is a row.

/** Characters of all rows as JSON. A column's name is repeated in each row, so rows can be much larger than their file. */
const maxCharacters = 250_000_000;
/** Characters of a column's name, as in CSV. */
const maxNameLength = 1000;

class SheetRows {
  readonly #types: ReadonlyMap<string, CellType>;
  readonly #lines: Buffer[] = [];
  #characters = 0;
  #header: { readonly row: number; readonly names: readonly (string | undefined)[] } | undefined;

  constructor(types: ReadonlyMap<string, CellType>) {
    this.#types = types;
  }

  /** The rows so far, one line each. */
  lines(): Buffer {
    return Buffer.concat(this.#lines);
  }

  /** Adds a row of the sheet. Throws a SheetProblem. */
  add(number: number, cells: readonly SheetCell[]): void {
    if (this.#header === undefined) {
      this.#header = { row: number, names: headerNames(number, cells) };
      return;
    }
    const line = this.#line(number, cells, this.#header.names);
    this.#characters += line.length;
    if (this.#characters > maxCharacters)
      throw new SheetProblem(
        `its rows take more than ${maxCharacters / 1_000_000} MB as JSON. Save the sheet as CSV, then try again`,
      );
    this.#lines.push(Buffer.from(line));
  }

  /** Built as text: a column may be named "__proto__", and the order of the columns is the order of the keys. */
  #line(number: number, cells: readonly SheetCell[], names: readonly (string | undefined)[]): string {
    const values: (CellValue | undefined)[] = [];
    for (const { column, value } of cells) {
      if (names[column] === undefined && value !== '')
        throw new SheetProblem(
          `the cell ${cellAddress(column, number)} is in a column without a name; row ${this.#header?.row} has the names`,
        );
      values[column] = value;
    }
    const members = names.flatMap((name, column) => {
      if (name === undefined) return [];
      const value = this.#typed(name, values[column]);
      return value === undefined ? [] : [`${JSON.stringify(name)}:${JSON.stringify(value)}`];
    });
    return `{${members.join(',')}}\n`;
  }

  /** The value as the type that the field declares; text for a field that has to be text. */
  #typed(name: string, value: CellValue | undefined): JsonValue | undefined {
    const type = this.#types.get(name);
    if (type === undefined || type === 'any' || typeof value === type) return value;
    if (type === 'string') return value === undefined ? '' : String(value);
    if (value === undefined) return undefined;
    const typed = typedCell(String(value), type);
    // The cell stays as it is, so that the input node refuses this row alone.
    return 'problem' in typed ? value : typed.value;
  }
}

function headerNames(row: number, cells: readonly SheetCell[]): readonly (string | undefined)[] {
  const names: (string | undefined)[] = [];
  const seen = new Set<string>();
  for (const { column, value } of cells) {
    const name = String(value);
    if (name === '') continue;
    const address = cellAddress(column, row);
    if (name.length > maxNameLength)
      throw new SheetProblem(`the name of a column in ${address} is longer than ${maxNameLength} characters`);
    if (seen.has(name)) throw new SheetProblem(`two columns are named "${name}"; the second is ${address}`);
    seen.add(name);
    names[column] = name;
  }
  return Array.from(names);
}
