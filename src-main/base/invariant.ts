/** Throws when a programmer's assumption does not hold. Never for bad input: that is an AppError. */
export function invariant(condition: unknown, assumption: string): asserts condition {
  if (!condition) throw new Error(`Broken assumption: ${assumption}`);
}

/** Makes a switch exhaustive at compile time, and loud if data from outside slips through. */
export function assertNever(value: never): never {
  throw new Error(`Broken assumption: unexpected ${JSON.stringify(value)}`);
}
