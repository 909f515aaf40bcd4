// The problem that the input node will report for a row's field, shown while the row can still be fixed.
import { typedCell, type CellType } from '#contract';
import { cellKind, type Cell } from './cell.ts';

const kindLabels: Record<CellType | 'null', string> = {
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  any: 'any value',
  null: 'null',
};

type Expected = { readonly type: CellType; readonly isRequired: boolean };

/** Problem of a cell, worded to follow the column's name: "is missing (required)". */
export function cellProblem(cell: Cell, { type, isRequired }: Expected): string | undefined {
  if (cell === undefined) return isRequired ? 'is missing (required)' : undefined;
  if (cell === null) return isRequired ? 'is null (required)' : undefined;
  if (type === 'any' || cellKind(cell) === type) return undefined;
  return (
    (typeof cell === 'string' ? textProblem(cell, type) : undefined) ??
    `is ${kindLabels[cellKind(cell)]}, not ${kindLabels[type]}`
  );
}

function textProblem(text: string, type: CellType): string | undefined {
  const typed = typedCell(text, type);
  return 'problem' in typed ? typed.problem : undefined;
}
