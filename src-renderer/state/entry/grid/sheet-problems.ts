// The problems of a sheet: their number, and messages for the first ones.
import { cellProblem } from './cell-problem.ts';
import type { Row, SheetState } from './sheet-change.ts';
import type { InputField, SheetColumn } from './sheet-columns.ts';

type SheetProblem = {
  /** Position of the cell; undefined if a whole column is missing. */
  readonly row: number | undefined;
  readonly column: number | undefined;
  /** Message, such as "row 7: email is missing (required)". */
  readonly text: string;
};

export type Problems = { readonly total: number; readonly first: readonly SheetProblem[] };

/** Maximum problems listed; users read no more. */
const maxListedProblems = 200;

/** Number of cells that are invalid in their column. */
export function countProblems(rows: readonly Row[], columns: readonly SheetColumn[]): number {
  let count = 0;
  for (const { cells } of rows) {
    for (const column of columns) if (cellProblem(cells[column.slot], column) !== undefined) count += 1;
  }
  return count;
}

type ProblemSearch = {
  /** Number of invalid cells, so that the search can end after the last one. */
  readonly inCells: number;
  /** Number of a row for the user. */
  readonly numberOf: (row: number) => number;
};

export function findProblems(
  { rows, columns, fields }: SheetState & { readonly fields: readonly InputField[] },
  { inCells, numberOf }: ProblemSearch,
): Problems {
  const lacking = rows.length === 0 ? [] : columnsLacking(columns, fields);
  const limit = Math.min(inCells, maxListedProblems);
  const found: SheetProblem[] = [];
  for (let row = 0; row < rows.length && found.length < limit; row += 1) {
    const { cells } = rows[row] ?? { cells: [] };
    columns.forEach((expected, column) => {
      const problem = cellProblem(cells[expected.slot], expected);
      if (problem !== undefined)
        found.push({ row, column, text: `row ${numberOf(row)}: ${expected.name} ${problem}` });
    });
  }
  return { total: inCells + lacking.length, first: [...lacking, ...found].slice(0, maxListedProblems) };
}

function columnsLacking(columns: readonly SheetColumn[], fields: readonly InputField[]): SheetProblem[] {
  const names = new Set(columns.map(({ name }) => name));
  return fields
    .filter(({ name, required }) => required && !names.has(name))
    .map(({ name }) => ({ row: undefined, column: undefined, text: `no row has ${name} (required)` }));
}
