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
  /** Returns the body of the answer, parsed if it is JSON and otherwise text. Absent: there is none. */
  readonly readBody?: () => unknown;
  /** Version of the shared answer that cannot be used. */
  readonly refuses?: number;
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
  /** Attempts that were made; undefined for the current number of the row. */
  readonly attempts: number | undefined = undefined;

  constructor(message: string, retryAfterMs = 0, callFailure?: CallFailure) {
    super(message);
    this.retryAfterMs = retryAfterMs;
    this.callFailure = callFailure;
  }
}

/** A failure to which `onError` has been applied already, as far as there is one. */
export class SettledError extends NodeError {}

/** The failure of one call of a node with `repeat`. */
export class RepeatedCallError extends SettledError {
  override readonly attempts: number | undefined;

  /** @param round number of the call, from 1 */
  constructor(error: NodeError, { round, attempts }: { readonly round: number; readonly attempts: number }) {
    super(`call ${round}: ${describeThrown(error)}`, error.retryAfterMs, error.callFailure);
    this.attempts = error.attempts ?? attempts;
  }
}

/** The failure of one item of a node with `each`. */
export class ItemError extends SettledError {
  override readonly attempts: number;

  /** @param item its index from 0, the number of items, and the attempts of this one */
  constructor(
    error: NodeError,
    item: { readonly index: number; readonly of: number; readonly attempts: number },
  ) {
    const message = `item ${item.index + 1} of ${item.of}: ${describeThrown(error)}`;
    super(message, error.retryAfterMs, error.callFailure);
    this.attempts = item.attempts;
  }
}

/** The failure of a node or item whose `onError` failed too. */
export class FallbackError extends NodeError {
  override readonly attempts: number | undefined;

  constructor(error: NodeError, second: unknown) {
    super(
      `${describeThrown(error)}; then onError: ${describeThrown(second)}`,
      error.retryAfterMs,
      error.callFailure,
    );
    this.attempts = error.attempts;
  }
}

/** An error as the value of `onError` sees it: frozen data. */
export function errorValue(error: NodeError): object {
  const { status, readBody } = error.callFailure ?? {};
  return Object.freeze({
    message: describeThrown(error),
    ...(status === undefined ? {} : { status }),
    ...(readBody === undefined ? {} : { body: readBody() }),
  });
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
