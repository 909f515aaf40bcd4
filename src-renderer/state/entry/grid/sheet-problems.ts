// The problems of a sheet, by cause: what is wrong in which column, in how many rows, with some of the values.
import { count, counted } from '#contract';
import type { Cell } from './cell.ts';
import { cellProblem } from './cell-problem.ts';
import type { Row, SheetState } from './sheet-change.ts';
import type { InputField, SheetColumn } from './sheet-columns.ts';

export type ProblemCause = {
  /** Column and problem, such as "email is missing (required)". */
  readonly text: string;
  /** Index of the column; undefined if no row has it. */
  readonly column: number | undefined;
  /** Indexes of the rows in order. */
  readonly rows: readonly number[];
  /** Different values of the first of these rows, as text. */
  readonly values: readonly string[];
};

/** Maximum values in a cause. */
const maxValues = 3;
const maxValueLength = 30;

/** Number of cells that are invalid in their column. */
export function countProblems(rows: readonly Row[], columns: readonly SheetColumn[]): number {
  let found = 0;
  for (const { cells } of rows) {
    for (const column of columns) if (cellProblem(cells[column.slot], column) !== undefined) found += 1;
  }
  return found;
}

/** Number of problems: of cells, and of required fields that have no column. */
export const problemsIn = (sheet: SheetState & { readonly fields: readonly InputField[] }): number =>
  countProblems(sheet.rows, sheet.columns) + absentFields(sheet).length;

/** Required fields that have no column, if there are rows. */
export function absentFields({
  rows,
  columns,
  fields,
}: SheetState & { readonly fields: readonly InputField[] }): readonly InputField[] {
  if (rows.length === 0) return [];
  const names = new Set(columns.map(({ name }) => name));
  return fields.filter(({ name, required }) => required && !names.has(name));
}

/** All causes: first the fields that no row has, then those of most rows. */
export function findCauses(
  sheet: SheetState & { readonly fields: readonly InputField[] },
): readonly ProblemCause[] {
  const absent = absentFields(sheet).map(({ name }) => ({
    text: `no row has ${name} (required)`,
    column: undefined,
    rows: [],
    values: [],
  }));
  const found = sheet.columns.flatMap((expected, column) => causesIn(sheet.rows, expected, column));
  return [...absent, ...found.sort((one, other) => other.rows.length - one.rows.length)];
}

/**
 * The rows of a cause: "82 rows, such as 7747,38 or k.A.", or "row 7: k.A.".
 * @param numberOf number of a row for the user
 */
export function causeRows({ rows, values }: ProblemCause, numberOf: (row: number) => number): string {
  const [first = 0, ...others] = rows;
  if (others.length === 0) return [`row ${count(numberOf(first))}`, ...values].join(': ');
  const size = counted(rows.length, 'row');
  if (values.length === 0) return size;
  const before = values.slice(0, -1).join(', ');
  return `${size}, such as ${before === '' ? '' : `${before} or `}${values.at(-1)}`;
}

/** True for a row that a cause with that text is about. */
export const hasCause = ({ cells }: Row, columns: readonly SheetColumn[], text: string): boolean =>
  columns.some((column) => {
    const problem = cellProblem(cells[column.slot], column);
    return problem !== undefined && `${column.name} ${problem}` === text;
  });

type Found = { readonly rows: number[]; readonly values: Set<string> };

function causesIn(rows: readonly Row[], expected: SheetColumn, column: number): ProblemCause[] {
  const byProblem = new Map<string, Found>();
  rows.forEach(({ cells }, row) => {
    const cell = cells[expected.slot];
    const problem = cellProblem(cell, expected);
    if (problem === undefined) return;
    const found = byProblem.get(problem) ?? { rows: [], values: new Set() };
    byProblem.set(problem, found);
    found.rows.push(row);
    if (found.values.size < maxValues && cell !== undefined && cell !== null) found.values.add(textOf(cell));
  });
  return [...byProblem].map(([problem, found]) => ({
    text: `${expected.name} ${problem}`,
    column,
    rows: found.rows,
    values: [...found.values],
  }));
}

function textOf(cell: NonNullable<Cell>): string {
  const text = typeof cell === 'string' ? cell : JSON.stringify(cell);
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text;
}
