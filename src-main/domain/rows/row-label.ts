// The label of a row: the first text among its fields. It helps users to recognise the row.
import { isJsonObject, textOfJson, type JsonValue } from '../../base/json-value.ts';
import { beginning } from './preview-row.ts';

export type RowLabel = { readonly field: string; readonly text: string };

/** Characters of a field's name, or of a text, in a cell. */
export const maxCellCharacters = 80;

/** Undefined for a row without a text. */
export function labelOf(row: JsonValue | undefined): RowLabel | undefined {
  if (row === undefined || !isJsonObject(row)) return undefined;
  for (const [field, value] of Object.entries(row))
    if (typeof value === 'string' && value.trim() !== '')
      return {
        field: beginning(field, maxCellCharacters),
        text: beginning(textOfJson(value), maxCellCharacters),
      };
  return undefined;
}
