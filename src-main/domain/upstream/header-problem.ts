// Checks the names of an author's headers, written in the file or given by an expression.
import { ownHeaders } from './own-headers.ts';

/** A name as RFC 9110 has it. */
export const headerNamePattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;

/**
 * The reason why a header cannot have this name, as a sentence; undefined if it can.
 * @param name in lower case
 * @param others names of the headers before it, in lower case
 */
export function headerProblem(name: string, others: ReadonlySet<string>): string | undefined {
  if (!headerNamePattern.test(name)) return `${JSON.stringify(name)} cannot be the name of a header`;
  if (ownHeaders.has(name)) return `Rowbench itself sets the header ${JSON.stringify(name)}`;
  return others.has(name) ? `The header ${JSON.stringify(name)} is there twice` : undefined;
}
