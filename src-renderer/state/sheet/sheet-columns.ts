// Columns of a sheet. Rows keep their cells by slot, not by place: moving, adding and removing a column touches no row.
import type { CellType } from '#contract';
import { kindOf, type Cell } from './cell.ts';

/** A field that the workflow's input node names. */
export type InputField = {
  readonly name: string;
  readonly type: CellType;
  readonly required: boolean;
  readonly description?: string | undefined;
};

export type ColumnPlace = {
  readonly slot: number;
  readonly name: string;
  /** Its own; where the input node names the field, the node's counts. */
  readonly type: CellType;
};

/** All columns in their order. Slots are never used again, so that what a removed column held comes back with it. */
export type Layout = { readonly columns: readonly ColumnPlace[]; readonly nextSlot: number };

export type SheetColumn = ColumnPlace & {
  /** The input node's field of this name. */
  readonly field: InputField | undefined;
  readonly isRequired: boolean;
  /** The input node names fields, and this is none of them: it is passed on unchecked. */
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

/** With the columns inserted before the place `at`. */
export function withColumns(layout: Layout, at: number, added: readonly NewColumn[]): Layout {
  const places = added.map(({ name, type }, index) => ({ slot: layout.nextSlot + index, name, type }));
  return {
    columns: [...layout.columns.slice(0, at), ...places, ...layout.columns.slice(at)],
    nextSlot: layout.nextSlot + places.length,
  };
}

/** A name that no column has yet: "column 4". */
export function freeName(taken: ReadonlySet<string>, wanted: number): string {
  let number = wanted;
  while (taken.has(`column ${number}`)) number += 1;
  return `column ${number}`;
}

/** The one type that all cells with a value have; any when they differ, or none has one. */
export function commonType(cells: Iterable<Cell>): CellType {
  let common: CellType | undefined;
  for (const cell of cells) {
    if (cell === undefined || cell === null) continue;
    const kind = kindOf(cell) as CellType;
    if (common !== undefined && kind !== common) return 'any';
    common = kind;
  }
  return common ?? 'any';
}
