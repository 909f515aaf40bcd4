/** Any value that JSON text can carry. */
export type JsonValue =
  null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

export type JsonObject = { readonly [key: string]: JsonValue };

/** True if it is an object with names, not a list. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** True if both are the same JSON text: the order of keys matters. Undefined differs from null. */
export const isSameJson = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);

/** A text as it is, any other value as JSON. */
export const textOfJson = (value: JsonValue): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** One text for all ways to write an equal value: the keys of objects in order. */
export function sortedJson(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((inner: JsonValue) => sortedJson(inner)).join(',')}]`;
  const fields = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}:${sortedJson(inner)}`);
  return `{${fields.sort().join(',')}}`;
}
