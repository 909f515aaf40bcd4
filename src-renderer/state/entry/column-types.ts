// The columns of a file of rows: the column of the grid that each goes to, and the type that its cells are converted to.
import { columnKind, type CellType, type JsonObject, type JsonValue, type MappedColumn } from '#contract';
import { agreedRepairs, type ColumnCells } from './column-cells.ts';
import { matchColumns } from './grid/match-columns.ts';

/** Its target is the column of the grid; undefined if it is left out. */
export type FileColumn = MappedColumn & {
  /** True if the workflow's input node names the type, so that the user cannot change it. */
  readonly isDeclared: boolean;
  /** True if the workflow's input node requires a value. */
  readonly isRequired: boolean;
};

/** A field of the workflow's input node. */
type Declared = { readonly name: string; readonly type: CellType; readonly required?: boolean };

export type FileTable = {
  readonly rows: readonly JsonObject[];
  readonly fields: readonly Declared[];
  /** By column, what its cells look like; empty for forms in which values have types. */
  readonly cells: ReadonlyMap<string, ColumnCells>;
};

/** Columns with those names. Names that resemble a field of the input node feed it; the others are extra columns. */
export function readColumns(names: readonly string[], table: FileTable): readonly FileColumn[] {
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
  table: FileTable,
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
function typedColumn(name: string, target: string | undefined, table: FileTable): FileColumn {
  const field = table.fields.find((each) => each.name === target);
  const type = field?.type ?? columnKind(cellsOf(table.rows, name));
  const cells = table.cells.get(name);
  const repairs = field === undefined || cells === undefined ? [] : agreedRepairs(cells, type);
  const isRequired = field?.required === true;
  return { name, target, type, repairs, isDeclared: field !== undefined, isRequired };
}

function* cellsOf(rows: readonly JsonObject[], name: string): Generator<JsonValue | undefined> {
  for (const row of rows) yield row[name];
}

/** The columns that the grid gets, in the order of the file. */
export const gridColumns = (
  columns: readonly FileColumn[],
): readonly { readonly name: string; readonly type: CellType }[] =>
  columns.flatMap(({ target, type }) => (target === undefined ? [] : [{ name: target, type }]));
