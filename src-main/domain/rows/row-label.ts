// The label of a row: the first text among its fields. It helps users to recognise the row.
import { isJsonObject, type JsonValue } from '../../base/json-value.ts';
import { beginning } from './preview-row.ts';

/** Maximum characters of a label. */
const maxCharacters = 80;

/** Undefined for a row without a text. */
export function labelOf(row: JsonValue | undefined): string | undefined {
  if (row === undefined || !isJsonObject(row)) return undefined;
  const text = Object.values(row).find((value) => typeof value === 'string' && value.trim() !== '');
  return typeof text === 'string' ? beginning(text, maxCharacters) : undefined;
}
