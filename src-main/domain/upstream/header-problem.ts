// Checks the names of an author's headers, written in the file or given by an expression.

/** A name as RFC 9110 has it. */
export const headerNamePattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;

export const blankInName = (name: string): string =>
  `The header ${JSON.stringify(name)} has a blank ${name.trimEnd() === name ? 'before' : 'behind'} its name: remove it`;

/**
 * The reason why a header cannot have this name, as a sentence; undefined if it can.
 * @param name in lower case
 * @param others names of the headers before it, in lower case
 */
export function headerProblem(name: string, others: ReadonlySet<string>): string | undefined {
  if (name.trim() !== name) return blankInName(name);
  if (!headerNamePattern.test(name)) return `${JSON.stringify(name)} cannot be the name of a header`;
  if (ownHeaders.has(name)) return `Rowbench itself sets the header ${JSON.stringify(name)}`;
  return others.has(name) ? `The header ${JSON.stringify(name)} is there twice` : undefined;
}

/** Header with the key by which a service knows a repeated call. Without one of the author, Rowbench makes it. */
export const idempotencyKeyHeader = 'idempotency-key';

/**
 * Headers that only Rowbench may set on a call, in lower case. They say how a message travels. An author's value could end the
 * message early or reach another server.
 */
export const ownHeaders: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
