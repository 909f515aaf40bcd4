// A list or an object as text that the user edits.
import { findJsonProblem, parseExactJson, typedCell, type CellType, type JsonValue } from '#contract';
import { cellProblem } from './cell-problem.ts';
import { cellText, cellKind, type Cell } from './cell.ts';

/** The cell as indented JSON. */
export function nestedText(cell: Cell, type: CellType): string {
  return typeof cell === 'object' && cell !== null
    ? JSON.stringify(cell, undefined, 2)
    : cellText(cell, type);
}

export type NestedReading = { readonly cell: Cell } | { readonly problem: string };

/** Parses the text, or returns the problem with its position. Blank text is no value. */
export function readNested(text: string, type: CellType): NestedReading {
  if (text.trim() === '') return { cell: undefined };
  let cell: JsonValue;
  try {
    cell = parseExactJson(text) as JsonValue;
  } catch {
    const { offset, problem } = findJsonProblem(text);
    return { problem: `${positionLabel(text, offset)}: ${problem}` };
  }
  const problem = cellProblem(cell, { type, isRequired: false }) ?? structureProblem(text, cell);
  return problem === undefined ? { cell } : { problem: `The value ${problem}.` };
}

/** The problem of a list or an object that is valid JSON but cannot be a value of a row. */
function structureProblem(text: string, cell: JsonValue): string | undefined {
  const kind = cellKind(cell);
  if (kind !== 'array' && kind !== 'object') return undefined;
  const typed = typedCell(text, kind);
  return 'problem' in typed ? typed.problem : undefined;
}

function positionLabel(text: string, offset: number): string {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return `Line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}
