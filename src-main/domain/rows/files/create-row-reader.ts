import { assertNever } from '../../../base/invariant.ts';
import type { ColumnTypes } from '../typed-cell.ts';
import { csvReader } from './csv-rows.ts';
import { JsonRows } from './json-rows.ts';
import { ndjsonReader } from './json-row.ts';
import { assertOptionsFit, type ReadOptions } from './read-options.ts';
import type { RowFormat } from './row-format.ts';
import type { RowTextReader } from './row-text-reader.ts';

/**
 * A reader of one rows file. Column types matter to CSV and TSV alone: JSON carries its own types. Throws `invalid_input` for
 * options that do not apply to JSON.
 */
export function createRowReader(
  format: RowFormat,
  types: ColumnTypes,
  options: ReadOptions = {},
): RowTextReader {
  if (format === 'json' || format === 'ndjson') assertOptionsFit(options, 'JSON');
  switch (format) {
    case 'json':
      return new JsonRows();
    case 'ndjson':
      return ndjsonReader();
    case 'csv':
      return csvReader(types, options);
    case 'tsv':
      return csvReader(types, options, '\t');
    default:
      return assertNever(format);
  }
}
