// The order of the names in a row. JavaScript puts names that are whole numbers first, such as years, so that a row that is
// parsed and written again has its columns in another order. Who calls: row workers, exports and tables of rows.
import type { JsonObject } from '../../base/json-value.ts';

/** Names of parsed objects that have them in another order than their texts. */
const orders = new WeakMap<object, readonly string[]>();

/** The value of JSON text, as `JSON.parse` gives it; `namesInOrder` knows the order of its text. Throws SyntaxError. */
export function parseInOrder(json: string): unknown {
  const value: unknown = JSON.parse(json);
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && isMoved(value))
    orders.set(value, namesInText(json));
  return value;
}

/** Remembers the order in which an object got its names, for `namesInOrder`. */
export function rememberOrder(value: object, names: readonly string[]): void {
  if (isMoved(value)) orders.set(value, names);
}

/** The members of the object, in the order of the text that it was parsed from. */
export const entriesInOrder = <T>(value: Readonly<Record<string, T>>): readonly (readonly [string, T])[] =>
  namesInOrder(value).map((name) => [name, value[name] as T]);

/** The names of the object, in the order of the text that it was parsed from. */
export const namesInOrder = (value: object): readonly string[] => orders.get(value) ?? Object.keys(value);

/**
 * JSON text of an object without the braces. Names that JavaScript has moved stand where they stand in `order`.
 * @param order names of another object, such as the row that the members come from
 */
export function membersInOrder(value: object, order: readonly string[]): string {
  if (!isMoved(value)) return JSON.stringify(value).slice(1, -1);
  const members = value as JsonObject;
  const first = order.filter((name) => Object.hasOwn(members, name));
  const names = new Set([...first, ...Object.keys(members)]);
  return [...names]
    .filter((name) => members[name] !== undefined)
    .map((name) => `${JSON.stringify(name)}:${JSON.stringify(members[name])}`)
    .join(',');
}

/** Says if the object may have its names in another order than its text: whole numbers come first in it. */
function isMoved(value: object): boolean {
  for (const name in value) return /^\d+$/.test(name);
  return false;
}

/** A text with the colon behind it, which makes it a name, or a bracket. */
const token = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[[\]{}]/g;

/** The names in the outermost object of valid JSON text. */
function namesInText(json: string): readonly string[] {
  const names = new Set<string>();
  let depth = 0;
  for (const [text, colon] of json.matchAll(token)) {
    if (text === '{' || text === '[') depth += 1;
    else if (text === '}' || text === ']') depth -= 1;
    else if (depth === 1 && colon !== undefined)
      names.add(JSON.parse(text.slice(0, text.length - colon.length)) as string);
  }
  return [...names];
}
