// Values as short texts for reports. The work depends on the length of the text, not on the size of the value.
import type { JsonObject, JsonValue } from '../../base/json-value.ts';

/** Maximum characters of a value, and of a list of values, in the report of a rule. */
const maxShown = 80;
const maxShownList = 500;

/** The value as JSON, cut where it is long; `nothing` for a value that is not there. */
export const shown = (value: JsonValue | undefined): string =>
  value === undefined ? 'nothing' : shortened(jsonBeginning(value, maxShown));

export const shortened = (text: string, maxLength = maxShown): string =>
  text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;

/** The values with commas between them, cut where the text is long. */
export function shownList(values: readonly JsonValue[]): string {
  let text = '';
  for (const value of values) {
    text += `${text === '' ? '' : ', '}${shown(value)}`;
    if (text.length > maxShownList) return shortened(text, maxShownList);
  }
  return text;
}

/** The whole JSON text if it has no more than `maxLength` characters, else a beginning that is longer than that. */
export function jsonBeginning(value: JsonValue, maxLength: number): string {
  const out = { text: '', maxLength };
  writeBeginning(value, out);
  return out.text;
}

type Beginning = { text: string; readonly maxLength: number };

function writeBeginning(value: JsonValue, out: Beginning): void {
  if (typeof value === 'string') {
    out.text += JSON.stringify(value.length > out.maxLength ? value.slice(0, out.maxLength) : value);
    return;
  }
  if (typeof value !== 'object' || value === null) {
    out.text += JSON.stringify(value);
    return;
  }
  out.text += Array.isArray(value) ? '[' : '{';
  let isFirst = true;
  for (const [key, entry] of entriesOf(value)) {
    if (out.text.length > out.maxLength) return;
    if (!isFirst) out.text += ',';
    isFirst = false;
    if (key !== undefined) {
      writeBeginning(key, out);
      out.text += ':';
    }
    writeBeginning(entry, out);
  }
  out.text += Array.isArray(value) ? ']' : '}';
}

/** The entries one by one: a list of all entries of a large value takes longer than their beginning. */
function* entriesOf(value: object): Generator<readonly [key: string | undefined, entry: JsonValue]> {
  if (Array.isArray(value)) {
    for (const entry of value as readonly JsonValue[]) yield [undefined, entry];
    return;
  }
  for (const key in value)
    if (Object.hasOwn(value, key)) yield [key, (value as JsonObject)[key] as JsonValue];
}
