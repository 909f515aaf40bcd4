// A JSON answer in one piece: the API log keeps the text that is sent. A route sets the answer, and the answer layer of
// create-http-app.ts sends it, past Koa, which would look up its type and length again.
import type { Context } from 'koa';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../base/clock.ts';
import { notesOf } from './call-notes.ts';
import { hasUnreadBody } from './request-body.ts';

export function answerJson(context: Context, body: object, status = 200): void {
  context.respond = false;
  context.res.statusCode = status;
  notesOf(context).answer = JSON.stringify(body);
}

/** Sends the answer that a route gave, if it gave one in one piece. */
export function sendText({ respond, req: request, res: response, state }: Context, clock: Clock): void {
  const { answer } = notesOf({ state });
  if (respond !== false || answer === undefined || response.headersSent) return;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(answer));
  if (!hasUnreadBody(request)) return void response.end(answer);
  // The server does not read an unread body to its end for the sake of the connection.
  response.setHeader('Connection', 'close');
  endBeforeBody(request, response, { body: answer, clock });
}

/**
 * After an answer that came before the body was read, bytes still arriving are thrown away for this long: closing
 * at once would reset the connection, and the reset can overtake the answer.
 */
const lingerMs = 1000;
/** Maximum bytes that are thrown away meanwhile: more than an honest body has. */
const maxLingerBytes = 128 * 1024 * 1024;

/** Sends an answer of one piece that says how long it is and closes its connection, while its request's body may still come. */
export function endBeforeBody(
  request: IncomingMessage,
  response: ServerResponse,
  { body, clock }: { readonly body: string; readonly clock: Clock },
): void {
  response.write(body);
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxLingerBytes) response.end();
  });
  request.resume();
  const cancel = clock.setTimer(lingerMs, () => response.end());
  request.once('end', () => response.end());
  response.once('close', cancel);
}
