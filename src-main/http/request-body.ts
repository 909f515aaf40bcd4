// A request's body as chunks: who reads it, what type it must have, and how long to wait for more of it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../base/clock.ts';
import { deferred } from '../base/deferred.ts';
import { bodyTooLarge, invalidBody, requestTimedOut } from '../domain/errors.ts';

/** A body may take as long as it needs, but not pause for longer than this. */
export const longestPauseMs = 30_000;

/** Whether bytes of a body are still to come, or lie unread. */
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

export type ReadParts = {
  readonly response: ServerResponse;
  readonly maxBytes: number;
  readonly clock: Clock;
};

/**
 * The body as it arrives. A client that waits to be told to go on is told so at the first read. Throws
 * `body_too_large`, `request_timeout`, or `invalid_body` when the connection was cut; the connection is left open
 * for the answer.
 */
export async function* readBody(request: IncomingMessage, parts: ReadParts): AsyncGenerator<Buffer, void> {
  if (request.headers.expect !== undefined && request.httpVersion === '1.1') parts.response.writeContinue();
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
  let bytes = 0;
  let isWaiting = false;
  try {
    for (;;) {
      isWaiting = true;
      const next = await nextInTime(chunks, parts.clock);
      isWaiting = false;
      if (next.done === true) return;
      bytes += next.value.length;
      if (bytes > parts.maxBytes) throw tooManyBytes(parts.maxBytes);
      yield next.value;
    }
  } finally {
    // Lets go of the request, so that what is left can be thrown away. While a read is pending it cannot be left.
    if (!isWaiting) await chunks.return?.();
  }
}

async function nextInTime(
  chunks: AsyncIterator<Buffer, unknown>,
  clock: Clock,
): Promise<IteratorResult<Buffer, unknown>> {
  const tooLate = deferred<never>();
  const cancel = clock.setTimer(longestPauseMs, () => tooLate.reject(requestTimedOut('body')));
  const next = chunks.next().catch((cause: unknown) => {
    throw invalidBody(`the connection was cut (${cause instanceof Error ? cause.message : 'unknown cause'})`);
  });
  try {
    return await Promise.race([next, tooLate.promise]);
  } finally {
    cancel();
    // Whichever lost the race has nobody left to tell.
    next.catch(() => undefined);
  }
}

const tooManyBytes = (maxBytes: number) => bodyTooLarge(`it has more than ${maxBytes} bytes`);
