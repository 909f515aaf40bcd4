// Checks of what author code passes. All problems are TypeErrors and RangeErrors of the language, which author code may
// see: errors of a library would share their prototype with all rows.

export function textArgument(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  throw new TypeError(`${name} takes a text, and got ${kindOf(value)}`);
}

export function listArgument(name: string, value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new TypeError(`${name} takes a list, and got ${kindOf(value)}`);
}

/** A whole number within the bounds, both included. */
export function countArgument(
  name: string,
  value: unknown,
  { min, max }: { readonly min: number; readonly max: number },
): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  throw new RangeError(`${name} takes a whole number from ${min} to ${max}`);
}

/** The kind of a value, for messages: `a list`. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
