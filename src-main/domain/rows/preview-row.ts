// A row or an output as a line of a table: each field's kind and the beginning of its value, so that a page shows
// thousands of rows without any of them whole.
import type { JsonObject, JsonValue } from '../../base/json-value.ts';
import { namesInOrder } from './name-order.ts';

type FieldKind = 'text' | 'number' | 'boolean' | 'null' | 'list' | 'object';

export type ValuePreview = {
  readonly kind: FieldKind;
  /** The value as it is read; of lists and objects their JSON. */
  readonly text: string;
  /** Characters of the whole value; absent: `text` is all of it. */
  readonly length?: number;
};

export type FieldPreview = ValuePreview & { readonly name: string };

export type RowPreview = {
  readonly fields: readonly FieldPreview[];
  /** Fields beyond those. */
  readonly fieldsLeftOut?: number;
};

/** As much as a wide cell shows. */
const maxCharacters = 160;
/** As many columns as anybody looks through. */
const maxFields = 60;
const longestName = 200;

export function previewRow(row: JsonObject): RowPreview {
  const names = namesInOrder(row);
  const fields = names
    .slice(0, maxFields)
    .map((name) => ({ name: beginning(name, longestName), ...previewValue(row[name] ?? null) }));
  return names.length > maxFields ? { fields, fieldsLeftOut: names.length - maxFields } : { fields };
}

/** @param max characters of its text */
export function previewValue(value: JsonValue, max = maxCharacters): ValuePreview {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return {
    kind: kindOf(value),
    text: beginning(text, max),
    ...(text.length > max ? { length: text.length } : {}),
  };
}

function kindOf(value: JsonValue): FieldKind {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  const type = typeof value;
  if (type === 'number' || type === 'boolean') return type;
  return type === 'string' ? 'text' : 'object';
}

/** Never ends between the two halves of a character. */
export function beginning(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? most - 1 : most);
}
