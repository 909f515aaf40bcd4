// An export with one line per entry: a row becomes as many lines as a list field of its output has entries.
import type { JsonValue } from '../../../base/json-value.ts';
import { counted } from '../../format.ts';
import { fieldOf, typeOfValue } from '../../query/column.ts';
import { entriesMissing } from '../../run-errors.ts';
import type { ExportRow } from './export-columns.ts';

/**
 * The lines of a row, one per entry of the list in this output field. A row without an entry has one line: its list is
 * empty, or the field is null or absent, or the row failed. Throws `invalid_input` for a value that is not a list.
 */
export function* explodedRow(row: ExportRow, field: string): Generator<ExportRow> {
  const list = fieldOf(row.output, field) ?? [];
  if (!Array.isArray(list)) throw entriesMissing(field, row.number, typeOfValue(list));
  if (list.length === 0) yield row;
  const entries: readonly JsonValue[] = list;
  for (const [index, value] of entries.entries()) yield { ...row, entry: { number: index + 1, value } };
}

/** `Saved 14,210 lines of 5,003 rows` */
export const savedLines = (lines: number, rows: number): string =>
  `Saved ${counted(lines, 'line')} of ${counted(rows, 'row')}`;
