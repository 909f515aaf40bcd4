import { assertNever } from '../../../base/invariant.ts';
import { CsvRows, type ColumnTypes } from './csv-rows.ts';
import { JsonRows } from './json-rows.ts';
import { NdjsonRows } from './json-row.ts';
import type { RowFormat } from './row-format.ts';
import type { RowTextReader } from './row-text-reader.ts';

/** A reader of one rows file. The column types matter to CSV and TSV alone: JSON carries its own. */
export function createRowReader(format: RowFormat, types: ColumnTypes): RowTextReader {
  switch (format) {
    case 'json':
      return new JsonRows();
    case 'ndjson':
      return new NdjsonRows();
    case 'csv':
      return new CsvRows(types);
    case 'tsv':
      return new CsvRows(types, '\t');
    default:
      return assertNever(format);
  }
}
