// The problem that the input node will report for a row's field, shown while the row can still be fixed.
import { typedCell, type CellType } from '#contract';
import { kindOf, type Cell } from './cell.ts';

const kindWords: Record<CellType | 'null', string> = {
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  any: 'any value',
  null: 'null',
};

type Wanted = { readonly type: CellType; readonly isRequired: boolean };

/** Reads behind the column's name: "is missing (required)". */
export function cellProblem(cell: Cell, { type, isRequired }: Wanted): string | undefined {
  if (cell === undefined) return isRequired ? 'is missing (required)' : undefined;
  if (cell === null) return isRequired ? 'is null (required)' : undefined;
  if (type === 'any' || kindOf(cell) === type) return undefined;
  return (
    (typeof cell === 'string' ? textProblem(cell, type) : undefined) ??
    `is ${kindWords[kindOf(cell)]}, not ${kindWords[type]}`
  );
}

function textProblem(text: string, type: CellType): string | undefined {
  const typed = typedCell(text, type);
  return 'problem' in typed ? typed.problem : undefined;
}
