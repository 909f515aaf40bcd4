// One row as a form: the fields that the input node names, then the other columns of the sheet.
import type { CellType } from '#contract';
import { cellProblem } from './grid/cell-problem.ts';
import { cellText, readCell, type Cell } from './grid/cell.ts';
import { writeCells } from './grid/row-edits.ts';
import { withColumns, type InputField } from './grid/sheet-columns.ts';
import type { SheetModel } from './grid/sheet-model.ts';

export type FormField = {
  readonly name: string;
  readonly type: CellType;
  readonly isRequired: boolean;
  readonly description?: string | undefined;
  readonly cell: Cell;
  readonly text: string;
  readonly problem: string | undefined;
};

/** The fields of the row; all empty for a row that does not exist yet. */
export function formFields(sheet: SheetModel, row: number): readonly FormField[] {
  const { columns, fields } = sheet;
  const names = new Set(fields.map(({ name }) => name));
  const others = columns.filter(({ name }) => !names.has(name));
  const all: readonly InputField[] = [
    ...fields,
    ...others.map(({ name, type }) => ({ name, type, required: false })),
  ];
  return all.map(({ name, type, required, description }) => {
    const cell = sheet.cell({ row, column: columns.findIndex((column) => column.name === name) });
    const problem = cellProblem(cell, { type, isRequired: required });
    return {
      name,
      type,
      isRequired: required,
      description,
      cell,
      text: cellText(cell, type),
      problem: problem === undefined ? undefined : `${name} ${problem}`,
    };
  });
}

/** Writes the typed text into the sheet, parsed by the field's type; adds the column if it is missing. */
export function writeField(sheet: SheetModel, row: number, { name, type, text }: Typed): void {
  if (!sheet.columns.some((column) => column.name === name)) {
    const before = sheet.layout;
    const after = withColumns(before, before.columns.length, [{ name, type }]);
    sheet.apply({ label: 'new column', layout: { before, after } });
  }
  const column = sheet.columns.findIndex((each) => each.name === name);
  const range = { top: row, bottom: row, left: column, right: column };
  sheet.apply(writeCells(sheet, range, { label: 'edit', cellAt: () => readCell(text, type) }));
}

type Typed = Pick<FormField, 'name' | 'type' | 'text'>;
