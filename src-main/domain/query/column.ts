// The columns of a run's table: the fields of its rows and of its outputs.
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.ts';

export type Column = { readonly of: 'input' | 'output'; readonly name: string };

/** The column's name in commands and addresses: `input.email`, `output.score`. A name may have dots of its own. */
export const columnText = ({ of, name }: Column): string => `${of}.${name}`;

/** The column of a text such as `output.score`; undefined for any other text. */
export function parseColumn(text: string): Column | undefined {
  const dot = text.indexOf('.');
  const of = text.slice(0, Math.max(0, dot));
  return of === 'input' || of === 'output' ? { of, name: text.slice(dot + 1) } : undefined;
}

/** The object's own field of that name; undefined if it has none. */
export const fieldOf = (object: JsonObject | undefined, name: string): JsonValue | undefined =>
  object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;

export type ValueType = 'text' | 'number' | 'boolean' | 'list' | 'object' | 'null';

export function typeOfValue(value: JsonValue): ValueType {
  if (value === null) return 'null';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'object') return isJsonObject(value) ? 'object' : 'list';
  return typeof value === 'number' ? 'number' : 'boolean';
}
