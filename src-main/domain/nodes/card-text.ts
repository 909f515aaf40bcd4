// Texts for the cards of nodes, made of values as their author wrote them.
import { isJsonObject, type JsonValue } from '../../base/json-value.ts';

/** A text, number or truth value as text; empty for any other value. */
export const cardText = (value: JsonValue | undefined): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

/** The names of an object, in the order of the file, or the expression that gives it; empty for any other value. */
export const cardNames = (value: JsonValue | undefined): string =>
  isJsonObject(value) ? Object.keys(value).join(', ') : typeof value === 'string' ? value : '';
