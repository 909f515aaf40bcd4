// What one connection may have, so that those of many clients, or of a page that opens hundreds, leave room for the
// next one. Who calls: server.ts, for each address that it listens on.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export type ConnectionParts = {
  /** The last answer that a connection may have announces its end. */
  readonly maxRequests: number;
  /** Connections on which nothing is being answered. */
  readonly maxIdle: number;
  /** Requests of one connection that may wait for those before them; what comes then is not read before one has gone. */
  readonly maxWaiting: number;
  /** Holds the answers that are owed. */
  readonly answers: Set<ServerResponse>;
  readonly listener: RequestListener;
  /** Answers a request that expects what there is not. */
  readonly refuseExpectation: RequestListener;
};

export type Connections = {
  /** Closes those on which nothing is owed, now and from now on once nothing is; takes no more requests. */
  close(): void;
  /** Breaks all off, whatever is owed. */
  breakOff(): void;
  /** Whether what its client sends is not read now: that a request does not come in whole is not the client's doing. */
  isPaused(socket: Socket): boolean;
};

type Connection = {
  asked: number;
  /** Answers that are owed, each with the way to begin it, in their order: the first is under way, the others wait for it. */
  readonly owed: Map<ServerResponse, () => void>;
  isPaused: boolean;
};

/**
 * Hands the server's requests out, those of one connection one after the other: what was sent behind a request whose
 * answer closes the connection must not be executed, since nobody would be told of it. Node's own counter of requests
 * would leave the connection open and go on answering with empty 503s; and Node alone would turn the next client away
 * where there is no room, instead of closing the connection that has waited longest.
 */
export function limitConnections(server: Server, parts: ConnectionParts): Connections {
  const connections = new LimitedConnections(parts);
  const handTo =
    (begin: RequestListener): RequestListener =>
    (request, response) =>
      connections.take(request, response, begin);
  server.on('connection', (socket) => connections.add(socket));
  server.on('request', handTo(parts.listener));
  // A client that asks before it sends its body is told to go on only when the body is read.
  server.on('checkContinue', handTo(parts.listener));
  server.on('checkExpectation', handTo(parts.refuseExpectation));
  // Node takes those for idle whose answer has ended, whether or not it has been sent.
  server.closeIdleConnections = () => connections.closeIdle();
  return connections;
}

class LimitedConnections implements Connections {
  readonly #parts: ConnectionParts;
  readonly #all = new Map<Socket, Connection>();
  readonly #idle = new Set<Socket>();
  #isClosing = false;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
  }

  add(socket: Socket): void {
    const connection: Connection = { asked: 0, owed: new Map(), isPaused: false };
    this.#all.set(socket, connection);
    socket.once('close', () => {
      this.#all.delete(socket);
      this.#idle.delete(socket);
      endUnsent(connection.owed.keys());
    });
    this.#rest(socket);
  }

  take(request: IncomingMessage, response: ServerResponse, begin: RequestListener): void {
    const { maxRequests, maxWaiting, answers } = this.#parts;
    const { socket } = request;
    const connection = this.#all.get(socket);
    if (connection === undefined) return;
    const { owed } = connection;
    connection.asked += 1;
    const isFlood = connection.asked > maxRequests + maxWaiting;
    if (owed.size > maxWaiting || isFlood) this.#pause(socket, connection);
    // Sent ahead of the last answer: its client learns from the closed connection that it was not executed.
    if (connection.asked > maxRequests || this.#isClosing) return;
    if (connection.asked === maxRequests) response.setHeader('Connection', 'close');
    owed.set(response, () => begin(request, response));
    this.#idle.delete(socket);
    answers.add(response);
    response.on('close', () => {
      answers.delete(response);
      owed.delete(response);
      this.#goOn(socket, connection);
    });
    if (owed.size === 1 && !socket.writableEnded) begin(request, response);
  }

  close(): void {
    this.#isClosing = true;
    this.closeIdle();
  }

  isPaused(socket: Socket): boolean {
    return this.#all.get(socket)?.isPaused === true;
  }

  closeIdle(): void {
    for (const socket of this.#idle) socket.destroy();
  }

  breakOff(): void {
    for (const socket of this.#all.keys()) socket.destroy();
  }

  /** Not at once: Node reads on whenever a request has come in whole. */
  #pause(socket: Socket, connection: Connection): void {
    connection.isPaused = true;
    setImmediate(() => {
      if (connection.isPaused) socket.pause();
    });
  }

  #goOn(socket: Socket, connection: Connection): void {
    // Of one that is gone `endUnsent` ends the others.
    if (socket.destroyed) return;
    const [begin] = connection.owed.values();
    if (begin === undefined) this.#rest(socket);
    else if (!socket.writableEnded) begin();
    if (!connection.isPaused || connection.owed.size > this.#parts.maxWaiting) return;
    connection.isPaused = false;
    socket.resume();
  }

  #rest(socket: Socket): void {
    if (this.#isClosing) return void socket.destroy();
    this.#idle.add(socket);
    const [oldest] = this.#idle;
    if (oldest === undefined || this.#idle.size <= this.#parts.maxIdle) return;
    this.#idle.delete(oldest);
    oldest.destroy();
  }
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
