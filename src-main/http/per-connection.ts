// Ends a connection after so many requests, so that no client holds one of the few for ever. Node's own counter
// would go on answering such a client with empty 503s instead.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The listener, with the last answer that a connection may have announcing its end. */
export function endingAfter(maxRequests: number, listener: RequestListener): RequestListener {
  const counts = new WeakMap<Socket, number>();
  return (request: IncomingMessage, response: ServerResponse) => {
    const count = (counts.get(request.socket) ?? 0) + 1;
    counts.set(request.socket, count);
    // Sent ahead of the last answer: its client learns from the closed connection that it was not executed.
    if (count > maxRequests) return;
    if (count === maxRequests) response.setHeader('Connection', 'close');
    listener(request, response);
  };
}
