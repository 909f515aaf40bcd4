// Errors of nodes: the cause in one line, never a stack trace or a path of this machine.

/** How a call to the outside failed. */
export type CallFailure = {
  /**
   * `status`: by a status from 400 on; `network`: without a whole answer; `answer`: by an answer that cannot be used;
   * `mock`: as a mock says.
   */
  readonly kind: 'status' | 'network' | 'answer' | 'mock';
  /** Status of the answer, if one began. */
  readonly status?: number;
};

/** A failure in Rowbench's own words. Author code can neither see nor throw one. */
export class NodeError extends Error {
  /**
   * Minimum wait before another attempt, in ms, as an upstream requests it. Infinity: another attempt would fail too, so none
   * is made.
   */
  readonly retryAfterMs: number;
  /** Absent: no call failed, or it was refused. */
  readonly callFailure: CallFailure | undefined;

  constructor(message: string, retryAfterMs = 0, callFailure?: CallFailure) {
    super(message);
    this.retryAfterMs = retryAfterMs;
    this.callFailure = callFailure;
  }
}

const longestMessage = 500;

/** Describes a thrown value in one line, even a hostile object. */
export function describeThrown(thrown: unknown): string {
  if (thrown instanceof NodeError) return oneLine(thrown.message);
  try {
    if (thrown instanceof Error)
      return oneLine(withAdvice(`${textOf(thrown.name)}: ${textOf(thrown.message)}`));
    if (typeof thrown === 'object' && thrown !== null) return oneLine(`threw ${JSON.stringify(thrown)}`);
    return oneLine(`threw ${String(thrown)}`);
  } catch {
    // A getter, toJSON or the size of the value prevents a description.
    return 'threw a value that cannot be shown';
  }
}

/**
 * The error for a thrown value. This may run author code, such as a getter of the value, so call it where the value is
 * caught, before other code runs.
 */
export const toNodeError = (thrown: unknown): NodeError =>
  thrown instanceof NodeError ? thrown : new NodeError(describeThrown(thrown));

/** The same error, with the note that the node is not retried. */
export function notRetried(failure: NodeError): NodeError {
  const message = describeThrown(failure);
  const { retryAfterMs, callFailure } = failure;
  // A called workflow may have added the note already.
  const full = message.endsWith(notRetriedSuffix) ? message : `${message}${notRetriedSuffix}`;
  return new NodeError(full, retryAfterMs, callFailure);
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

/** Adds the solution to the engine's error for a change of row or node values, which are frozen. */
const withAdvice = (text: string): string =>
  readOnly.test(text)
    ? `${text} (row and node values cannot be changed: change a copy, such as [...list])`
    : text;
