// Checks of the values that author code passes. All problems are frozen errors of the language. An error that the author's
// own code throws meanwhile, such as a getter, passes as it is.
import { NodeError } from '../node-error.ts';
import { textOfValue } from '../plain-value.ts';
import { rangeError, typeError } from '../bounded-builtins.ts';

export function textArgument(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  throw typeError(`${name} takes a text, and got ${kindOf(value)}`);
}

/**
 * A copy of a list, with the engine's methods. Methods of the list itself may be the author's, and would get our functions
 * and the values of libraries.
 */
export function listArgument(name: string, value: unknown): unknown[] {
  if (Array.isArray(value)) return copyOf(value);
  throw typeError(`${name} takes a list, and got ${kindOf(value)}`);
}

function copyOf(list: readonly unknown[]): unknown[] {
  const copy: unknown[] = [];
  for (let index = 0; index < list.length; index += 1) copy.push(list[index]);
  return copy;
}

const getTime = Reflect.get<Date, 'getTime'>(Date.prototype, 'getTime');

/** Milliseconds of a Date, NaN for an invalid one; undefined for another value. Methods of a subclass are not called. */
export function millisOfDate(value: unknown): number | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  try {
    return Reflect.apply(getTime, value, []);
  } catch {
    return undefined;
  }
}

/** The text of any value, as in a template. Throws a TypeError for a value without a text. */
export function anyTextArgument(name: string, value: unknown): string {
  try {
    return textOfValue(value);
  } catch (error) {
    throw error instanceof NodeError ? typeError(`${name}: ${error.message}`) : error;
  }
}

/** A whole number within the bounds, both included. */
export function countArgument(
  name: string,
  value: unknown,
  { min, max }: { readonly min: number; readonly max: number },
): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  throw rangeError(`${name} takes a whole number from ${min} to ${max}`);
}

/** The kind of a value, for messages: `a list`. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
