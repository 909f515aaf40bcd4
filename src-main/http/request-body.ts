// A request's body as chunks: reading it, checking its type, and how long to wait for more of it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../base/clock.ts';
import { bodyTooLarge, invalidBody, requestTimedOut } from '../domain/request-errors.ts';

/** A body may take as long as it needs, but not pause for longer than this. */
export const longestPauseMs = 30_000;

/** True if bytes of a body are still to come, or lie unread. */
export function hasUnreadBody(request: IncomingMessage): boolean {
  const { headers } = request;
  const isDeclared = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
  return isDeclared && !(request.complete && request.readableEnded);
}

/** Throws `invalid_body` unless the body is declared as plain JSON in UTF-8. */
export function assertJsonBody({ headers }: IncomingMessage): void {
  if (!/^application\/json[ \t]*(;[ \t]*charset="?utf-8"?[ \t]*)?$/i.test(headers['content-type'] ?? '')) {
    throw invalidBody('its Content-Type must be application/json in UTF-8');
  }
  const transfer = headers['transfer-encoding'];
  // Node undoes chunks and passes anything below them on as it is.
  if (transfer !== undefined && transfer.trim().toLowerCase() !== 'chunked') {
    throw invalidBody('a Transfer-Encoding other than chunked is not accepted');
  }
  if (headers['content-encoding'] !== undefined) throw invalidBody('a Content-Encoding is not accepted');
}

/** The body's declared size in bytes; undefined when it comes in chunks. Throws `body_too_large`. */
export function declaredBytes({ headers }: IncomingMessage, maxBytes: number): number | undefined {
  if (headers['content-length'] === undefined) return undefined;
  const bytes = Number(headers['content-length']);
  if (bytes > maxBytes) throw tooManyBytes(maxBytes);
  return bytes;
}

const endings = ['end', 'close'] as const;
const changes = ['readable', ...endings] as const;

export type ReadBodyOptions = {
  readonly response: ServerResponse;
  readonly maxBytes: number;
  readonly clock: Clock;
};

/**
 * The body as it arrives. A client that waits for `100 Continue` gets it at the first read. Throws
 * `body_too_large`, `request_timeout`, or `invalid_body` when the connection was cut. The connection stays open for the
 * answer; the code that sends the answer discards the rest of the body.
 */
export async function* readBody(
  request: IncomingMessage,
  options: ReadBodyOptions,
): AsyncGenerator<Buffer, void> {
  if (request.headers.expect !== undefined && request.httpVersion === '1.1') options.response.writeContinue();
  let bytes = 0;
  while (!request.readableEnded) {
    if (request.destroyed) throw connectionCut(request);
    const chunk = request.read() as Buffer | null;
    if (chunk === null) await untilMore(request, options.clock);
    else {
      bytes += chunk.length;
      if (bytes > options.maxBytes) throw tooManyBytes(options.maxBytes);
      yield chunk;
    }
  }
}

/**
 * Resolves when there may be more of the body to read, or no more will come. Call it right after a read gave nothing:
 * that read asks for more, or begins the end. It uses events: a stream's own iterator takes longer to be made and given
 * up than a small body to be read. It leaves no listener, so that the code that discards the rest may resume the
 * request. It adds no listener for `error`: a request without one is only closed, with the cause in `errored`.
 */
function untilMore(request: IncomingMessage, clock: Clock): Promise<void> {
  // What has come in whole can only end.
  const events = request.complete ? endings : changes;
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      cancel();
      for (const event of events) request.off(event, onChange);
    };
    const onChange = (): void => {
      stop();
      resolve();
    };
    const cancel = clock.setTimer(longestPauseMs, () => {
      stop();
      reject(requestTimedOut('body'));
    });
    for (const event of events) request.on(event, onChange);
  });
}

const connectionCut = ({ errored }: IncomingMessage): Error =>
  invalidBody(`the connection was cut (${errored?.message ?? 'unknown cause'})`);

const tooManyBytes = (maxBytes: number) => bodyTooLarge(`it has more than ${maxBytes} bytes`);
