// The only place that writes an error body. Who calls: the answer layer for everything thrown, the server for what
// goes wrong before there is a request.
import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import { AppError, type ErrorCode } from '../base/app-error.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { endBeforeBody } from './answer-text.ts';
import { hasUnreadBody } from './request-body.ts';
import { securityHeaders } from './server-limits.ts';

/** A new code without a status does not compile. */
export const httpStatus: Readonly<Record<ErrorCode, number>> = {
  invalid_body: 400,
  malformed_request: 400,
  invalid_input: 400,
  run_not_completed: 400,
  invalid_key: 401,
  guard_refused: 403,
  key_not_allowed: 403,
  role_required: 403,
  workflow_untrusted: 403,
  workflow_not_found: 404,
  run_not_found: 404,
  key_not_found: 404,
  token_not_found: 404,
  browser_not_found: 404,
  secret_not_found: 404,
  row_set_not_found: 404,
  call_not_found: 404,
  route_not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  move_not_allowed: 409,
  body_too_large: 413,
  expectation_failed: 417,
  workflow_invalid: 422,
  rate_limited: 429,
  headers_too_large: 431,
  data_unreadable: 500,
  data_folder_locked: 500,
  port_taken: 500,
  scenario_failed: 500,
  too_many_connections: 503,
  too_many_exports: 503,
  store_degraded: 503,
  out_of_resources: 503,
  disk_full: 503,
};

export type ErrorAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/**
 * The answer that tells a client of an error. An unexpected error is logged under an id, and the answer holds only the
 * id. The machine's own user (`asOwner`) also reads messages about the data folder, with its paths.
 */
export function errorAnswer(error: unknown, log: Log, asOwner = false): ErrorAnswer {
  if (error instanceof AppError && (asOwner || isShown(error))) {
    return answer(httpStatus[error.code], error.message, detailHeaders(error));
  }
  const requestId = randomUUID();
  log.error({ requestId, error }, 'a request failed unexpectedly');
  return answer(500, internalErrorMessage(requestId), {});
}

/** The message of an answer to an unexpected error. `requestId`: what the log entry with the cause is found by. */
export const internalErrorMessage = (requestId: string): string =>
  `Internal error. The log has more under the request id ${requestId}`;

/** True if clients may read the message. Internal errors stay hidden; a failure that the client asked for is shown. */
const isShown = ({ code }: AppError): boolean => httpStatus[code] !== 500 || code === 'scenario_failed';

function answer(status: number, message: string, more: Record<string, string>): ErrorAnswer {
  const body = JSON.stringify({ success: false, error: message });
  const length = String(Buffer.byteLength(body));
  return {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': length, ...more },
    body,
  };
}

function detailHeaders({ detail }: AppError): Record<string, string> {
  const headers: Record<string, string> = {};
  if (detail.retryAfterSeconds !== undefined) headers['Retry-After'] = String(detail.retryAfterSeconds);
  if (detail.limit !== undefined) headers['x-rowbench-limit'] = detail.limit;
  if (detail.allow !== undefined) headers['Allow'] = detail.allow;
  return headers;
}

/**
 * Writes the answer; a request whose body was not read loses its connection afterwards. False when it came too late,
 * and the connection was broken off.
 */
export function sendError(request: IncomingMessage, response: ServerResponse, how: SendOptions): boolean {
  const { status, headers, body } = how.answer;
  if (response.headersSent || response.destroyed) {
    // Half an answer must not look like a whole one.
    response.destroy();
    return false;
  }
  if (!hasUnreadBody(request)) {
    response.writeHead(status, { ...headers }).end(body);
    return true;
  }
  response.writeHead(status, { ...headers, Connection: 'close' });
  endBeforeBody(request, response, { body, clock: how.clock });
  return true;
}

export type SendOptions = { readonly answer: ErrorAnswer; readonly clock: Clock };

/** The answer as bytes for a socket on which no request could be read. */
export function rawAnswer({ status, headers, body }: ErrorAnswer): string {
  const lines = Object.entries({ ...securityHeaders, ...headers, Connection: 'close' });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head}\r\n${body}`;
}
