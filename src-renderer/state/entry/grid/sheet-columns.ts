// Columns of a sheet. Rows store cells by slot, not by position: moving, adding or removing a column changes no row.
import type { CellType } from '#contract';
import { cellKind, type Cell } from './cell.ts';

/** A field that the workflow's input node names. */
export type InputField = {
  readonly name: string;
  readonly type: CellType;
  readonly required: boolean;
  readonly description?: string | undefined;
};

export type LayoutColumn = {
  readonly slot: number;
  readonly name: string;
  /** The column's own type, which is ignored if the input node names the field. */
  readonly type: CellType;
};

/** All columns in order. Slots are never reused, so that an undo of a removed column restores its cells. */
export type Layout = { readonly columns: readonly LayoutColumn[]; readonly nextSlot: number };

export type SheetColumn = LayoutColumn & {
  /** The input node's field of this name. */
  readonly field: InputField | undefined;
  readonly isRequired: boolean;
  /** True if the input node names fields, but not this one, so that it is passed on unchecked. */
  readonly isUnknown: boolean;
};

export const emptyLayout: Layout = { columns: [], nextSlot: 0 };

/** The columns as the input node sees them. */
export function withFields(layout: Layout, fields: readonly InputField[]): readonly SheetColumn[] {
  const byName = new Map(fields.map((field) => [field.name, field]));
  return layout.columns.map((column) => {
    const field = byName.get(column.name);
    return {
      ...column,
      type: field?.type ?? column.type,
      field,
      isRequired: field?.required ?? false,
      isUnknown: field === undefined && fields.length > 0,
    };
  });
}

type NewColumn = { readonly name: string; readonly type: CellType };

/** The layout with columns inserted before index `at`. */
export function withColumns(layout: Layout, at: number, added: readonly NewColumn[]): Layout {
  const newColumns = added.map(({ name, type }, index) => ({ slot: layout.nextSlot + index, name, type }));
  return {
    columns: [...layout.columns.slice(0, at), ...newColumns, ...layout.columns.slice(at)],
    nextSlot: layout.nextSlot + newColumns.length,
  };
}

/** A name that no column has yet, such as "column 4". */
export function freeName(taken: ReadonlySet<string>, firstNumber: number): string {
  let number = firstNumber;
  while (taken.has(`column ${number}`)) number += 1;
  return `column ${number}`;
}

/** The common type of all cells with a value; `any` if types differ or no cell has a value. */
export function commonType(cells: Iterable<Cell>): CellType {
  let common: CellType | undefined;
  for (const cell of cells) {
    if (cell === undefined || cell === null) continue;
    const kind = cellKind(cell) as CellType;
    if (common !== undefined && kind !== common) return 'any';
    common = kind;
  }
  return common ?? 'any';
}
