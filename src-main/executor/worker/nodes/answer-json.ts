// JSON that came from outside: anybody may have written it, so it is checked before a row gets to see it.
import { NodeError } from '../node-error.ts';

/** Levels of nesting, as in the rows of the HTTP interface. */
const deepest = 100;

/** The value, deeply frozen. Throws NodeError, whose message goes on from `who`, for what no row could hold. */
export function parseAnswer(text: string, who: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new NodeError(`${who} answered with invalid JSON`);
  }
  return freezeChecked(value, who, 1);
}

function freezeChecked(value: unknown, who: string, depth: number): unknown {
  // JSON.parse reads 1e400 as Infinity: that must not become null later on.
  if (value === Infinity || value === -Infinity)
    throw new NodeError(`${who} answered with a number that is too large`);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > deepest)
    throw new NodeError(`${who} answered with JSON that is nested deeper than ${deepest} levels`);
  if (Array.isArray(value)) for (const entry of value) freezeChecked(entry, who, depth + 1);
  else for (const key of Object.keys(value)) freezeChecked((value as Inner)[key], who, depth + 1);
  return Object.freeze(value);
}

type Inner = Readonly<Record<string, unknown>>;
