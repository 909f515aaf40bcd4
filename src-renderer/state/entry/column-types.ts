// The columns of a file of rows: the column of the grid that each goes to, and the type that its cells are converted to.
import { columnKind, typedCell, type CellType, type JsonObject, type JsonValue } from '#contract';
import { matchColumns } from './grid/match-columns.ts';

export type FileColumn = {
  /** Name in the file. */
  readonly name: string;
  /** Name of the column in the grid; undefined if the column is left out. */
  readonly target: string | undefined;
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
type Table = { readonly rows: readonly JsonObject[]; readonly fields: Declared };

/** Maximum problems listed; users read no more. */
const maxProblems = 100;

/** Names of the fields of all rows, in order of appearance. */
export function fieldNames(rows: readonly JsonObject[]): readonly string[] {
  const names = new Set<string>();
  for (const row of rows) for (const name of Object.keys(row)) names.add(name);
  return [...names];
}

/** Columns with those names. Names that resemble a field of the input node feed it; the others are extra columns. */
export function readColumns(names: readonly string[], table: Table): readonly FileColumn[] {
  const matches = matchColumns(
    table.fields.map(({ name }) => name),
    names,
  );
  const fieldOf = new Map([...matches].map(([field, name]) => [name, field]));
  return names.map((name) => typedColumn(name, fieldOf.get(name) ?? name, table));
}

/** The columns if that column feeds the field. Without a name, no column feeds it. */
export function feedField(
  columns: readonly FileColumn[],
  { field, name }: { readonly field: string; readonly name: string | undefined },
  table: Table,
): readonly FileColumn[] {
  const taken = new Set(columns.map(({ target }) => target));
  return columns.map((column) => {
    if (column.name === name) return typedColumn(name, field, table);
    if (column.target !== field) return column;
    // The column that fed the field becomes an extra column, unless another has its name.
    const isFree = column.name !== field && !taken.has(column.name);
    return typedColumn(column.name, isFree ? column.name : undefined, table);
  });
}

/** The declared type of the target, or the type that all cells have. Ambiguous cells such as "007" stay text. */
function typedColumn(name: string, target: string | undefined, { rows, fields }: Table): FileColumn {
  const field = fields.find((each) => each.name === target);
  return field === undefined
    ? { name, target, type: columnKind(cellsOf(rows, name)), isDeclared: false }
    : { name, target, type: field.type, isDeclared: true };
}

/** Converts cells to values. A cell that cannot be converted stays text and is reported; an empty cell has no field. */
export function typeRows(
  rows: readonly JsonObject[],
  columns: readonly FileColumn[],
): {
  readonly rows: readonly JsonObject[];
  readonly troubles: readonly CellTrouble[];
  readonly total: number;
} {
  const troubles: CellTrouble[] = [];
  let total = 0;
  const typed = rows.map((row, index) => {
    const values: Record<string, JsonValue> = {};
    for (const { name, target, type } of columns) {
      const cell = row[name];
      if (target === undefined || typeof cell !== 'string' || cell === '') continue;
      const read = typedCell(cell, type);
      if ('problem' in read) {
        total += 1;
        if (troubles.length < maxProblems)
          troubles.push({ row: index + 1, column: target, text: `"${shortened(cell)}" ${read.problem}` });
        setMember(values, target, cell);
      } else if (read.value !== undefined) setMember(values, target, read.value);
    }
    return values;
  });
  return { rows: typed, troubles, total };
}

/** A column may be named "__proto__", which an assignment would not add. Assignments take half the time. */
function setMember(values: Record<string, JsonValue>, name: string, value: JsonValue): void {
  if (name !== '__proto__') values[name] = value;
  else Object.defineProperty(values, name, { value, writable: true, enumerable: true, configurable: true });
}

/** Rows with the names of the grid, without columns that are left out. Values stay unchanged. */
export function renameFields(
  rows: readonly JsonObject[],
  columns: readonly FileColumn[],
): readonly JsonObject[] {
  if (columns.every(({ name, target }) => name === target)) return rows;
  const targets = new Map(columns.map(({ name, target }) => [name, target]));
  return rows.map((row) => {
    const members = Object.entries(row).map(([name, value]) => [targets.get(name), value] as const);
    return Object.fromEntries(
      members.filter((member): member is [string, JsonValue] => member[0] !== undefined),
    );
  });
}

/** Rows of a workbook, whose cells have types, with the names of the grid. Declared columns get their type where it fits. */
export function fitRows(rows: readonly JsonObject[], columns: readonly FileColumn[]): readonly JsonObject[] {
  const declared = columns.filter(({ isDeclared, target }) => isDeclared && target !== undefined);
  const renamed = renameFields(rows, columns);
  if (declared.length === 0) return renamed;
  const types = new Map(declared.map(({ target, type }) => [target, type]));
  return renamed.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, fitted(value, types.get(name))])),
  );
}

function fitted(value: JsonValue, type: CellType | undefined): JsonValue {
  if (type === undefined || type === 'any' || typeof value === type || typeof value === 'object')
    return value;
  const read = typedCell(String(value), type);
  return 'problem' in read ? value : (read.value ?? value);
}

const shortened = (cell: string): string => (cell.length > 40 ? `${cell.slice(0, 40)}…` : cell);

function* cellsOf(rows: readonly JsonObject[], name: string): Generator<JsonValue | undefined> {
  for (const row of rows) yield row[name];
}
