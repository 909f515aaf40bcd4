// Parses JSON from outside and checks it before a row gets it, since any program may have written it.
import { isNestedDeeper } from '../../../domain/rows/json-depth.ts';
import { NodeError } from '../node-error.ts';

/** Maximum levels of nesting, as in rows of the HTTP interface. */
const deepest = 100;

/** The value, deeply frozen. Throws NodeError for a value that no row can hold. @param who the start of its message */
export function parseAnswer(text: string, who: string): unknown {
  if (isNestedDeeper(text, deepest))
    throw new NodeError(`${who} answered with JSON that is nested deeper than ${deepest} levels`);
  return freezeChecked(parse(text, who), who);
}

function parse(text: string, who: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new NodeError(`${who} answered with invalid JSON`);
  }
}

function freezeChecked(value: unknown, who: string): unknown {
  // JSON.parse reads 1e400 as Infinity: that must not become null later on.
  if (value === Infinity || value === -Infinity)
    throw new NodeError(`${who} answered with a number that is too large`);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) for (const entry of value) freezeChecked(entry, who);
  else for (const key of Object.keys(value)) freezeChecked((value as Inner)[key], who);
  return Object.freeze(value);
}

type Inner = Readonly<Record<string, unknown>>;
