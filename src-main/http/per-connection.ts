// What one connection may have, so that those of many clients, or of a page that opens hundreds, leave room for the
// next one. Who calls: server.ts, for each address that it listens on.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export type ConnectionParts = {
  /** The last answer that a connection may have announces its end. */
  readonly maxRequests: number;
  /** Connections on which nothing is being answered. */
  readonly maxIdle: number;
  /** Holds the answers that are under way. */
  readonly answers: Set<ServerResponse>;
  readonly listener: RequestListener;
};

type Connection = {
  asked: number;
  /** Answers that are owed, each with the way to begin it, in their order: the first is under way, the others wait for it. */
  readonly owed: Map<ServerResponse, () => void>;
};

/**
 * Hands the server's requests to the listener, those of one connection one after the other: what was sent behind a
 * request whose answer closes the connection must not be executed, since nobody would be told of it. Node's own counter
 * of requests would leave the connection open and go on answering with empty 503s; and Node alone would turn the next
 * client away where there is no room, instead of closing the connection that has waited longest. Gives what closes those on which nothing is being answered.
 */
export function limitConnections(server: Server, parts: ConnectionParts): () => void {
  const { maxRequests, maxIdle, answers, listener } = parts;
  const connections = new WeakMap<Socket, Connection>();
  const idle = new Set<Socket>();
  const rest = (socket: Socket): void => {
    if (socket.destroyed) return;
    idle.add(socket);
    const [oldest] = idle;
    if (idle.size > maxIdle) oldest?.destroy();
  };
  const goOn = (socket: Socket, { owed }: Connection): void => {
    const [begin] = owed.values();
    if (begin === undefined) rest(socket);
    else if (!socket.writableEnded) begin();
  };
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    const connection = connections.get(socket) ?? { asked: 0, owed: new Map<ServerResponse, () => void>() };
    connection.asked += 1;
    connections.set(socket, connection);
    // Sent ahead of the last answer: its client learns from the closed connection that it was not executed.
    if (connection.asked > maxRequests) return;
    if (connection.asked === maxRequests) response.setHeader('Connection', 'close');
    const { owed } = connection;
    owed.set(response, () => listener(request, response));
    idle.delete(socket);
    answers.add(response);
    response.on('close', () => {
      answers.delete(response);
      owed.delete(response);
      // Of one that is gone `endUnsent` ends the others.
      if (!socket.destroyed) goOn(socket, connection);
    });
    if (owed.size === 1) listener(request, response);
  };
  server.on('connection', (socket) => {
    socket.once('close', () => {
      idle.delete(socket);
      endUnsent(connections.get(socket)?.owed.keys() ?? []);
    });
    rest(socket);
  });
  server.on('request', take);
  // A client that asks before it sends its body is told to go on only when the body is read.
  server.on('checkContinue', take);
  return () => idle.forEach((socket) => socket.destroy());
}

/**
 * Ends answers that wait for one before them on a connection that is gone: Node never gives them the connection, and so
 * never tells them that it was closed.
 */
function endUnsent(answers: Iterable<ServerResponse>): void {
  for (const answer of [...answers]) {
    if (answer.socket !== null) continue;
    answer.destroy();
    answer.emit('close');
  }
}
