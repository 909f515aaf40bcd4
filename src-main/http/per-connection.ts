// What one connection may have, so that those of many clients, or of a page that opens hundreds, leave room for the
// next one. Who calls: server.ts, for each address that it listens on.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The listener, with the last answer that a connection may have announcing its end. Node's own counter would leave
 * the connection open and go on answering with empty 503s.
 */
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

/**
 * Keeps room for clients that have something to ask: of the connections on which nothing is being answered, the one
 * that has waited longest is closed when there are more than `maxIdle`. Node alone would turn the next client away.
 */
export function keepRoom(server: Server, maxIdle: number): void {
  const idle = new Set<Socket>();
  const rest = (socket: Socket): void => {
    if (socket.destroyed) return;
    idle.add(socket);
    const [oldest] = idle;
    if (idle.size > maxIdle) oldest?.destroy();
  };
  const work = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    idle.delete(socket);
    response.on('close', () => rest(socket));
  };
  server.on('connection', (socket) => {
    socket.once('close', () => idle.delete(socket));
    rest(socket);
  });
  server.on('request', work);
  server.on('checkContinue', work);
}
