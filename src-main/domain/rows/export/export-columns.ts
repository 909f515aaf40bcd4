// The columns of an export: their names, their order, and the value of a row in each.
import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json-value.ts';
import { fieldOf } from '../../query/column.ts';
import { exportColumnUnknown } from '../../run-errors.ts';
import type { ExportOptions } from './export-options.ts';

export type ExportColumn = {
  /** Name in the file; no other column has it. */
  readonly name: string;
  readonly of: 'row' | 'entryNumber' | 'input' | 'output' | 'entry' | 'entryField' | 'failure';
  /** The field of the row, of the output, of an entry, or of the failure. */
  readonly field: string;
};

/** One entry of a row's list. */
type RowEntry = {
  /** Position in the list, from 1. */
  readonly number: number;
  readonly value: JsonValue;
};

export type ExportRow = {
  readonly number: number;
  readonly input?: JsonObject | undefined;
  readonly output?: JsonObject | undefined;
  readonly failure?: { readonly nodeId: string; readonly message: string } | undefined;
  /** How long the row took; only for an export that is sorted by it. */
  readonly ms?: number | undefined;
  /** Entry of the line, in an export with one line per entry. */
  readonly entry?: RowEntry | undefined;
};

export type ExportFields = {
  readonly input: readonly string[];
  readonly output: readonly string[];
  /** Columns of the list that gives one line per entry. */
  readonly entries?: {
    /** Fields of entries that are objects. */
    readonly fields: readonly string[];
    /** True if an entry is not an object. */
    readonly hasValues: boolean;
  };
};

type ColumnOptions = Pick<
  ExportOptions,
  'rowNumbers' | 'inputColumns' | 'failedRows' | 'latest' | 'columns' | 'explode'
>;

/**
 * The columns of an export with these options. An output keeps its name; the names of other columns get underscores in
 * front where an output has such a name. A chosen column `explode` is all columns of its entries. Throws `invalid_input` for a
 * column that is not there.
 */
export function exportColumns(fields: ExportFields, options: ColumnOptions): readonly ExportColumn[] {
  const { inputColumns = false, failedRows = false, latest = false, explode } = options;
  const all = availableColumns(fields, explode);
  if (options.columns !== undefined)
    return options.columns.flatMap((name) =>
      name === explode ? all.filter(isOfEntry) : [columnNamed(all, name)],
    );
  const isExported: Readonly<Record<ExportColumn['of'], boolean>> = {
    row: options.rowNumbers ?? (inputColumns || failedRows || latest || explode !== undefined),
    entryNumber: true,
    input: inputColumns,
    output: true,
    entry: true,
    entryField: true,
    failure: failedRows,
  };
  return all.filter((column) => isExported[column.of]);
}

const isOfEntry = ({ of }: ExportColumn): boolean => of === 'entry' || of === 'entryField';

function availableColumns({ input, output, entries }: ExportFields, explode?: string): ExportColumn[] {
  const outputs = output.flatMap((field) =>
    field === explode
      ? entryColumns({ field, others: output, entries })
      : [{ name: field, of: 'output' as const, field }],
  );
  const isTaken = (beginning: string): boolean => outputs.some(({ name }) => name.startsWith(beginning));
  const isOutput = (text: string): boolean => outputs.some(({ name }) => name === text);
  const inputPrefix = unused('input.', isTaken);
  const failurePrefix = unused('failed.', isTaken);
  return [
    { name: unused('row', isOutput), of: 'row', field: '' },
    ...(explode === undefined
      ? []
      : [{ name: unused('entry', isOutput), of: 'entryNumber' as const, field: '' }]),
    ...input.map((field) => ({ name: inputPrefix + field, of: 'input' as const, field })),
    ...outputs,
    { name: `${failurePrefix}node`, of: 'failure', field: 'nodeId' },
    { name: `${failurePrefix}message`, of: 'failure', field: 'message' },
  ];
}

type ExplodedField = {
  readonly field: string;
  readonly others: readonly string[];
  readonly entries: ExportFields['entries'] | undefined;
};

/** The columns in place of an exploded field; the field itself is one if an entry is not an object, or none is. */
function entryColumns({ field, others, entries }: ExplodedField): ExportColumn[] {
  const { fields = [], hasValues = true } = entries ?? {};
  const prefix = unused(`${field}.`, (text) => others.some((name) => name.startsWith(text)));
  return [
    ...(hasValues || fields.length === 0 ? [{ name: field, of: 'entry' as const, field }] : []),
    ...fields.map((name) => ({ name: prefix + name, of: 'entryField' as const, field: name })),
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
      return fieldOf(row[of], field);
    default:
      return row.entry && entryValue(row.entry, { of, field });
  }
}

function entryValue(
  { number, value }: RowEntry,
  { of, field }: Pick<ExportColumn, 'of' | 'field'>,
): JsonValue | undefined {
  if (of === 'entryNumber') return number;
  if (of === 'entry') return isJsonObject(value) ? undefined : value;
  return isJsonObject(value) ? fieldOf(value, field) : undefined;
}
