// The columns of an export: their names, their order, and the value of a row in each.
import type { JsonObject, JsonValue } from '../../../base/json-value.ts';
import { exportColumnUnknown } from '../../run-errors.ts';
import type { ExportOptions } from './export-options.ts';

export type ExportColumn = {
  /** Name in the file; no other column has it. */
  readonly name: string;
  readonly of: 'row' | 'input' | 'output' | 'failure';
  /** The field of the row, of the output, or of the failure. */
  readonly field: string;
};

export type ExportRow = {
  readonly number: number;
  readonly input?: JsonObject | undefined;
  readonly output?: JsonObject | undefined;
  readonly failure?: { readonly nodeId: string; readonly message: string } | undefined;
};

export type ExportFields = { readonly input: readonly string[]; readonly output: readonly string[] };

type ColumnOptions = Pick<ExportOptions, 'rowNumbers' | 'inputColumns' | 'failedRows' | 'latest' | 'columns'>;

/**
 * The columns of an export with these options. An output keeps its name; the names of other columns get underscores in
 * front where an output has such a name. Throws `invalid_input` for a column that is not there.
 */
export function exportColumns(fields: ExportFields, options: ColumnOptions): readonly ExportColumn[] {
  const all = availableColumns(fields);
  if (options.columns !== undefined) return options.columns.map((name) => columnNamed(all, name));
  const { inputColumns = false, failedRows = false, latest = false } = options;
  const isExported: Readonly<Record<ExportColumn['of'], boolean>> = {
    row: options.rowNumbers ?? (inputColumns || failedRows || latest),
    input: inputColumns,
    output: true,
    failure: failedRows,
  };
  return all.filter((column) => isExported[column.of]);
}

function availableColumns({ input, output }: ExportFields): ExportColumn[] {
  const row = unused('row', (name) => output.includes(name));
  const inputPrefix = unused('input.', (prefix) => output.some((name) => name.startsWith(prefix)));
  const failurePrefix = unused('failed.', (prefix) => output.some((name) => name.startsWith(prefix)));
  return [
    { name: row, of: 'row', field: '' },
    ...input.map((field) => ({ name: inputPrefix + field, of: 'input' as const, field })),
    ...output.map((field) => ({ name: field, of: 'output' as const, field })),
    { name: `${failurePrefix}node`, of: 'failure', field: 'nodeId' },
    { name: `${failurePrefix}message`, of: 'failure', field: 'message' },
  ];
}

function unused(text: string, isUsed: (text: string) => boolean): string {
  let free = text;
  while (isUsed(free)) free = `_${free}`;
  return free;
}

function columnNamed(all: readonly ExportColumn[], name: string): ExportColumn {
  const column = all.find((candidate) => candidate.name === name);
  if (column !== undefined) return column;
  throw exportColumnUnknown(
    name,
    all.map((candidate) => candidate.name),
  );
}

/** Undefined if the row does not have the field. */
export function exportedValue(row: ExportRow, { of, field }: ExportColumn): JsonValue | undefined {
  switch (of) {
    case 'row':
      return row.number;
    case 'failure':
      return field === 'nodeId' ? row.failure?.nodeId : row.failure?.message;
    case 'input':
    case 'output':
      return row[of] !== undefined && Object.hasOwn(row[of], field) ? row[of][field] : undefined;
  }
}
