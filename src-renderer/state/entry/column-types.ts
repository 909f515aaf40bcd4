// Detects the types of the columns of a text table, and converts its cells to these types.
import { typedCell, type CellType, type JsonObject, type JsonValue } from '#contract';

export type TypedColumn = {
  readonly name: string;
  readonly type: CellType;
  /** True if the workflow's input node names the type, so that the user cannot change it. */
  readonly isDeclared: boolean;
};

export type CellTrouble = {
  /** From 1. */
  readonly row: number;
  readonly column: string;
  readonly text: string;
};

type Declared = readonly { readonly name: string; readonly type: CellType }[];

/** Maximum problems listed; users read no more. */
const maxProblems = 100;

/** The declared type of each column, or the type that all its cells have. Ambiguous cells such as "007" stay text. */
export function detectTypes(rows: readonly JsonObject[], declared: Declared): readonly TypedColumn[] {
  const types = new Map(declared.map(({ name, type }) => [name, type]));
  return Object.keys(rows[0] ?? {}).map((name) => {
    const type = types.get(name);
    return type === undefined
      ? { name, type: commonType(rows, name), isDeclared: false }
      : { name, type, isDeclared: true };
  });
}

/** Converts cells to values. A cell that cannot be converted stays text and is reported; an empty cell has no field. */
export function typeRows(
  rows: readonly JsonObject[],
  columns: readonly TypedColumn[],
): {
  readonly rows: readonly JsonObject[];
  readonly troubles: readonly CellTrouble[];
  readonly total: number;
} {
  const troubles: CellTrouble[] = [];
  let total = 0;
  const typed = rows.map((row, index) => {
    const members: [string, JsonValue][] = [];
    for (const { name, type } of columns) {
      const cell = row[name];
      if (typeof cell !== 'string' || cell === '') continue;
      const read = typedCell(cell, type);
      if ('problem' in read) {
        total += 1;
        if (troubles.length < maxProblems)
          troubles.push({ row: index + 1, column: name, text: `"${shortened(cell)}" ${read.problem}` });
        members.push([name, cell]);
      } else if (read.value !== undefined) members.push([name, read.value]);
    }
    // A column may be named "__proto__": this defines members, it does not assign them.
    return Object.fromEntries(members);
  });
  return { rows: typed, troubles, total };
}

const candidates: readonly (readonly [CellType, (cell: string) => boolean])[] = [
  // A double is not exact beyond 15 digits.
  ['number', (cell) => /^-?(0|[1-9]\d*)(\.\d+)?$/.test(cell) && cell.replace(/\D/g, '').length <= 15],
  ['boolean', (cell) => /^(true|false)$/i.test(cell)],
  ['array', (cell) => cell.startsWith('[') && !('problem' in typedCell(cell, 'array'))],
  ['object', (cell) => cell.startsWith('{') && !('problem' in typedCell(cell, 'object'))],
];

function commonType(rows: readonly JsonObject[], name: string): CellType {
  let left = candidates;
  let hasCells = false;
  for (const row of rows) {
    const cell = row[name];
    if (typeof cell !== 'string' || cell.trim() === '') continue;
    hasCells = true;
    left = left.filter(([, fits]) => fits(cell.trim()));
    if (left.length === 0) return 'string';
  }
  return hasCells ? (left[0]?.[0] ?? 'string') : 'string';
}

const shortened = (cell: string): string => (cell.length > 40 ? `${cell.slice(0, 40)}…` : cell);
