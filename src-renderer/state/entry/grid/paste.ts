// Copies blocks of cells, and pastes them into a sheet. The sheet grows if the block does not fit. A first line of column
// names decides which columns the other lines go to.
import type { CellType } from '#contract';
import { cellText, cellKind, readPasted, type Cell } from './cell.ts';
import type { CsvBlock } from './csv-block.ts';
import { matchColumns } from './match-columns.ts';
import { writeCells } from './row-edits.ts';
import type { Change, CellRange, SheetState } from './sheet-change.ts';
import { commonType, freeName, withColumns, withFields, type InputField } from './sheet-columns.ts';
import { parseTsv, writeTsv } from './tsv.ts';

/** Cells copied in this sheet: pasting them here keeps values that text cannot express, such as null. */
export type Copied = { readonly text: string; readonly cells: readonly (readonly Cell[])[] };

export function copyCells({ rows, columns }: SheetState, { top, bottom, left, right }: CellRange): Copied {
  const copied = columns.slice(left, right + 1);
  const cells = rows.slice(top, bottom + 1).map((row) => copied.map(({ slot }) => row.cells[slot]));
  const texts = cells.map((line) => line.map(plainText));
  return { cells, text: writeTsv(texts) };
}

/** Text for other programs: null and an empty text are both blank in a spreadsheet. */
const plainText = (cell: Cell): string => cellText(cell, 'string');

export type Pasted = {
  readonly text: string;
  readonly copied?: Copied | undefined;
  /** Cells of the text if it is split as CSV. */
  readonly csv?: CsvBlock | undefined;
};

type Target = SheetState & { readonly fields: readonly InputField[] };
type Line = readonly Cell[];

type Block = {
  readonly lines: readonly Line[];
  /** Names of the columns that the lines go to; without names, the lines go to the selection. */
  readonly names?: readonly string[];
  /** True if the cells were copied here, so that they are values and not texts. */
  readonly isOurs: boolean;
};

/** Pastes text at the top left corner of the range; repeats it over the whole range if it fits evenly. */
export function pasteText(sheet: Target, range: CellRange, pasted: Pasted): Change | undefined {
  const block = blockOf(sheet, pasted);
  const { lines, names, isOurs } = block;
  if (lines.length === 0) return undefined;
  const width = lines.reduce((max, line) => Math.max(max, line.length), names?.length ?? 0);
  if (width === 0) return undefined;
  const wide = grown(sheet, block, { left: range.left, width });
  const sources = sourcesOf(wide, block, { ...range, width });
  const top = names !== undefined && sheet.rows.length === 0 ? 0 : range.top;
  const height = range.bottom - range.top + 1;
  const bottom = top + (height % lines.length === 0 ? height : lines.length) - 1;
  const left = Math.min(...sources.keys());
  const right = Math.max(...sources.keys());
  const change = writeCells(
    wide,
    { top, bottom, left, right },
    {
      label: 'paste',
      cellAt: (row, column) => {
        const target = wide.columns[column];
        const source = sources.get(column);
        if (target === undefined) return undefined;
        if (source === undefined) return sheet.rows[row]?.cells[target.slot];
        return readFor(lines[(row - top) % lines.length]?.[source], target.type, isOurs);
      },
    },
  );
  const layout = { before: sheet.layout, after: wide.layout };
  const grows = wide.layout !== sheet.layout;
  return change && { ...change, range: { top, bottom, left, right }, ...(grows && { layout }) };
}

const blockOf = (sheet: Target, { text, copied, csv }: Pasted): Block =>
  copied?.text === text
    ? { lines: copied.cells, isOurs: true }
    : withoutHeader(sheet, csv?.lines ?? parseTsv(text));

/**
 * Takes the first line as names if it names columns: all of them, more than half of them by name or similar name, or, in
 * an empty sheet, at least one of them.
 */
function withoutHeader({ columns, rows }: Target, block: readonly Line[]): Block {
  const [first = [], ...lines] = block;
  const names = first.map((cell) => plainText(cell).trim());
  const asIs: Block = { lines: block, isOurs: false };
  if (lines.length === 0 || !names.every(isName) || new Set(names).size < names.length) return asIs;
  const columnNames = columns.map(({ name }) => name);
  const matches = matchColumns(columnNames, names);
  const isMost =
    matches.size * 2 > names.length && (matches.size > 1 || columnNames.includes(names[0] ?? ''));
  const isFirst =
    rows.length === 0 && (columns.length === 0 || names.some((name) => columnNames.includes(name)));
  if (!isMost && !isFirst) return asIs;
  const columnOf = new Map([...matches].map(([column, name]) => [name, column]));
  return { lines, names: names.map((name) => columnOf.get(name) ?? name), isOurs: false };
}

/** Number of rows below a first line that names columns; undefined if the text has no such line. */
export function rowsBelowHeader(sheet: Target, pasted: Pasted): number | undefined {
  const { names, lines } = blockOf(sheet, pasted);
  return names === undefined ? undefined : lines.length;
}

/** Replaces all rows with the pasted ones. If there are as many, they keep the numbers of the rows before. */
export function replaceRows({ rows, layout, columns, fields }: Target, pasted: Pasted): Change | undefined {
  const change = pasteText(
    { rows: [], layout, columns, fields },
    { top: 0, bottom: 0, left: 0, right: 0 },
    pasted,
  );
  if (change?.rows === undefined) return undefined;
  const isSameCount = change.rows.after.length === rows.length;
  const after = change.rows.after.map((row, index) =>
    isSameCount ? { ...row, origin: rows[index]?.origin } : row,
  );
  return { ...change, label: 'replace rows', rows: { at: 0, before: rows, after } };
}

const isName = (text: string): boolean => text !== '' && text.length <= 1_000 && !looksLikeValue.test(text);
const looksLikeValue = /^([-+]?[\d.,]+|true|false|[[{].*)$/i;

type Span = { readonly left: number; readonly width: number };

/** The sheet with the additional columns that the block needs. */
function grown(sheet: Target, { lines, names }: Block, { left, width }: Span): SheetState {
  const taken = new Set(sheet.columns.map(({ name }) => name));
  const beyond = Math.max(0, sheet.columns.length - left);
  const added = Array.from({ length: width }, (_, index) => index)
    .filter((index) => (names === undefined ? index >= beyond : !taken.has(names[index] ?? '')))
    .map((index) => {
      const name = names?.[index] ?? freeName(taken, left + index + 1);
      taken.add(name);
      return { name, type: pastedType(lines, index) };
    });
  if (added.length === 0) return sheet;
  const layout = withColumns(sheet.layout, sheet.columns.length, added);
  return { rows: sheet.rows, layout, columns: withFields(layout, sheet.fields) };
}

/** For each column that is written, the index of its cell in a line. */
function sourcesOf(
  { columns }: SheetState,
  { names }: Block,
  range: CellRange & Span,
): ReadonlyMap<number, number> {
  if (names !== undefined) {
    const indexByName = new Map(columns.map(({ name }, column) => [name, column]));
    return new Map(names.map((name, index) => [indexByName.get(name) ?? 0, index]));
  }
  const selected = range.right - range.left + 1;
  const width = selected % range.width === 0 ? selected : range.width;
  return new Map(Array.from({ length: width }, (_, index) => [range.left + index, index % range.width]));
}

function readFor(cell: Cell, type: CellType, isOurs: boolean): Cell {
  const fits = cell === undefined || cell === null || type === 'any' || cellKind(cell) === type;
  return isOurs && fits ? cell : readPasted(plainText(cell), type);
}

/** A number of up to 15 digits; a longer one would not be exact. "007" is not a number. */
const plainNumber = /^-?(0|[1-9]\d*)(\.\d+)?$/;
const isNumber = (text: string): boolean =>
  plainNumber.test(text) && (text.length <= 15 || text.replaceAll(/\D/g, '').length <= 15);
const isStructure = (text: string, type: 'array' | 'object'): boolean =>
  cellKind(readPasted(text, type) ?? null) === type;

/** The type of all values of the pasted column; text if their types differ. */
function pastedType(lines: readonly Line[], index: number): CellType {
  const cells = lines.map((line) => line[index]).filter((cell) => cell !== undefined && cell !== '');
  if (cells.some((cell) => typeof cell !== 'string')) return commonType(cells);
  const texts = cells.map((cell) => plainText(cell).trim());
  const all = (fits: (text: string) => boolean): boolean => texts.length > 0 && texts.every(fits);
  if (all(isNumber)) return 'number';
  if (all((text) => /^(true|false)$/i.test(text))) return 'boolean';
  if (all((text) => isStructure(text, 'array'))) return 'array';
  return all((text) => isStructure(text, 'object')) ? 'object' : 'string';
}
