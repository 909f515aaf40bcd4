// JSON text that may be stored as a value, because parsing and rewriting it keeps its meaning.
import type { JsonValue } from '../../base/json-value.ts';
import { countInexactIntegers } from '../rows/exact-json.ts';
import { isNestedDeeper } from '../rows/json-depth.ts';
import { deepestBody } from './cassette.ts';

/** The value of the text; undefined for text that is no JSON or whose value would not survive being written. */
export function plainJson(text: string): JsonValue | undefined {
  if (isNestedDeeper(text, deepestBody)) return undefined;
  try {
    if (countInexactIntegers(text) > 0) return undefined;
    const value = JSON.parse(text) as JsonValue;
    return isPlain(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Infinities come from numbers like 1e400, and are written as null; a negative zero loses its sign. */
function isPlain(value: JsonValue): boolean {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(isPlain);
}
