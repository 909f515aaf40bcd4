// How a failed node reads: the cause in one line, never a stack or a path of this machine.

/** A failure in Rowbench's own words. Author code can neither see nor throw one. */
export class NodeError extends Error {
  /**
   * How long to wait before another attempt, at least, in ms: what an upstream asked for. Infinity: another attempt
   * would come to the same.
   */
  readonly retryAfterMs: number;

  constructor(message: string, retryAfterMs = 0) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

const longestMessage = 500;

/** One line for whatever was thrown, hostile objects included. */
export function describeThrown(thrown: unknown): string {
  if (thrown instanceof NodeError) return oneLine(thrown.message);
  try {
    if (thrown instanceof Error)
      return oneLine(withAdvice(`${textOf(thrown.name)}: ${textOf(thrown.message)}`));
    if (typeof thrown === 'object' && thrown !== null) return oneLine(`threw ${JSON.stringify(thrown)}`);
    return oneLine(`threw ${String(thrown)}`);
  } catch {
    // Its own getters, toJSON or size keep it from being described.
    return 'threw a value that cannot be shown';
  }
}

/**
 * The failure in plain words. To find these may run author code, such as a getter of the thrown value: call it where the
 * value is caught, before other code runs.
 */
export const toNodeError = (thrown: unknown): NodeError =>
  thrown instanceof NodeError ? thrown : new NodeError(describeThrown(thrown));

/** The same failure, which says that the node's further attempts are not made. */
export function notRetried(failure: unknown): NodeError {
  const message = describeThrown(failure);
  // A called workflow may have said so already.
  return new NodeError(
    message.endsWith(notRetriedSuffix) ? message : `${message}${notRetriedSuffix}`,
    Infinity,
  );
}

const notRetriedSuffix = ' (not retried)';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : typeof value);

const oneLine = (text: string): string => {
  const line = text
    .slice(0, longestMessage + 1)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > longestMessage ? `${line.slice(0, longestMessage - 1)}…` : line;
};

const readOnly = /^TypeError: Cannot (assign to read only|add property|delete property|define property)/;

/** Row and node values are frozen where code could change them; what the engine says then does not say what to do instead. */
const withAdvice = (text: string): string =>
  readOnly.test(text)
    ? `${text} (row and node values cannot be changed: change a copy, such as [...list])`
    : text;
