// What cannot be read as an HTTP request still gets an answer of the usual form, and its connection is closed.
import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AppError } from '../base/app-error.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { headersTooLarge, malformedRequest, methodNotAllowed, requestTimedOut } from '../domain/errors.ts';
import { errorAnswer, rawAnswer } from './error-response.ts';

type Parts = { readonly clock: Clock; readonly log: Log };

/** As in error-response.ts: long enough for the answer to be read before the connection is reset. */
const lingerMs = 1000;

/** Attaches the answers to the server. */
export function answerBrokenRequests(server: Server, parts: Parts): void {
  const latest = new WeakMap<Duplex, ServerResponse>();
  const refused = new WeakSet<Duplex>();
  const note = (request: { socket: Duplex }, response: ServerResponse): void => {
    latest.set(request.socket, response);
  };
  server.on('request', note);
  server.on('checkContinue', note);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // The parser reports each further piece of what it could not read.
    if (refused.has(socket)) return;
    refused.add(socket);
    refuse(socket, { ...parts, error: describe(error), before: latest.get(socket) });
  });
  server.on('connect', (_request, socket) => {
    refuse(socket, { ...parts, error: methodNotAllowed('GET, POST'), before: latest.get(socket) });
  });
}

function describe(error: NodeJS.ErrnoException): AppError {
  if (error.code === 'HPE_HEADER_OVERFLOW') return headersTooLarge();
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return requestTimedOut('headers');
  return malformedRequest(error);
}

type Refusal = Parts & {
  readonly error: AppError;
  /** The answer to the last readable request on the same connection. */
  readonly before: ServerResponse | undefined;
};

function refuse(socket: Duplex, { clock, log, error, before }: Refusal): void {
  const answer = (): void => {
    if (!socket.writable) return void socket.destroy();
    socket.end(rawAnswer(errorAnswer(error, log)));
    socket.resume();
    const cancel = clock.setTimer(lingerMs, () => socket.destroy());
    socket.once('close', cancel);
  };
  if (before === undefined || before.writableFinished) answer();
  // The request before was whole: its answer comes first, and this one must not be taken for it.
  else if (before.req.complete) before.once('finish', answer);
  else if (before.headersSent) socket.destroy();
  else answer();
}
