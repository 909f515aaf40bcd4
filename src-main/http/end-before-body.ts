import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../base/clock.ts';

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
