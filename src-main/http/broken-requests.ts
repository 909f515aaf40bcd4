// Answers bytes that are no HTTP request: the answer has the usual form, and the connection is closed.
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { AppError } from '../base/app-error.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import {
  headersTooLarge,
  malformedRequest,
  methodNotAllowed,
  requestTimedOut,
} from '../domain/request-errors.ts';
import { errorAnswer, rawAnswer } from './error-response.ts';
import type { Connections } from './per-connection.ts';

type AnswerDeps = { readonly clock: Clock; readonly log: Log };

type BrokenRequestDeps = AnswerDeps & { readonly connections: Pick<Connections, 'isPaused'> };

const lateHeadCode = 'ERR_HTTP_REQUEST_TIMEOUT';

/** The error that Node gives to a `clientError` listener for a request whose head took too long. */
export const lateHead = (): NodeJS.ErrnoException =>
  Object.assign(new Error('Request timeout'), { code: lateHeadCode });

/** As in error-response.ts: long enough for the answer to be read before the connection is reset. */
const lingerMs = 1000;

/** Attaches the answers to the server. */
export function answerBrokenRequests(server: Server, { connections, ...deps }: BrokenRequestDeps): void {
  const answers = new WeakMap<Duplex, Set<ServerResponse>>();
  const refused = new WeakSet<Duplex>();
  const note = ({ socket }: { socket: Duplex }, response: ServerResponse): void => {
    const ofSocket = answers.get(socket) ?? new Set();
    answers.set(socket, ofSocket.add(response));
    response.once('close', () => ofSocket.delete(response));
  };
  server.on('request', note);
  server.on('checkContinue', note);
  server.on('checkExpectation', note);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === lateHeadCode && connections.isPaused(socket as Socket)) return;
    // The parser reports each further piece of what it could not read.
    if (refused.has(socket)) return;
    refused.add(socket);
    refuse(socket, { ...deps, error: describe(error), owed: [...(answers.get(socket) ?? [])] });
  });
  server.on('connect', (_request, socket: Socket) => {
    const owed = [...(answers.get(socket) ?? [])];
    keepServed(socket, owed);
    refuse(socket, { ...deps, error: methodNotAllowed('GET, POST'), owed });
  });
}

/**
 * Node takes its hands off a connection that a CONNECT came on: a reset of it would end the process, and answers that
 * are owed on it would neither be sent on once there is room again, nor given up when nothing moves.
 */
function keepServed(socket: Socket, owed: readonly ServerResponse[]): void {
  socket.on('error', () => socket.destroy());
  socket.on('timeout', () => socket.destroy());
  socket.on('drain', () => owed.find((answer) => answer.socket === socket)?.emit('drain'));
}

function describe(error: NodeJS.ErrnoException): AppError {
  if (error.code === 'HPE_HEADER_OVERFLOW') return headersTooLarge();
  if (error.code === lateHeadCode) return requestTimedOut('headers');
  return malformedRequest(error);
}

type Refusal = AnswerDeps & {
  readonly error: AppError;
  /** The answers to readable requests on the same connection that are not out yet, in their order. */
  readonly owed: readonly ServerResponse[];
};

function refuse(socket: Duplex, { clock, log, error, owed }: Refusal): void {
  const answer = (): void => {
    if (!socket.writable) return void socket.destroy();
    socket.end(rawAnswer(errorAnswer(error, log)));
    socket.resume();
    const cancel = clock.setTimer(lingerMs, () => socket.destroy());
    socket.once('close', cancel);
  };
  // Only of the last one the body may have broken off; then this is its answer, if it has not begun to get another.
  const broken = owed.find(({ req }) => !req.complete);
  const answerBroken = (): void => {
    if (broken === undefined || broken.writableFinished || !broken.headersSent) answer();
    else if (broken.writableEnded) broken.once('finish', answer);
    else socket.destroy();
  };
  // The requests before it were whole: their answers come first, and this one must not be taken for one of them.
  const last = owed.findLast(({ req, writableFinished }) => req.complete && !writableFinished);
  if (last === undefined) answerBroken();
  else last.once('finish', answerBroken);
}
