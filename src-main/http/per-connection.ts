// Limits how many connections are served at once and what each of them may have, so that many clients, or a page that
// opens hundreds of connections, leave room for the next client. Who calls: server.ts, for each address that it listens on.
//
// A connection counts from its first request on. One whose first request has not arrived yet is silent, not idle: it
// takes no place among those that are served, and Node's header timeout ends it. No connection is closed to make room
// while its client may be sending: one request too many is answered 503, and an answer beyond `maxKept` announces the end
// of its connection, so that idle connections never take all places.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../base/clock.ts';

export type ConnectionOptions = {
  /** The last answer that a connection may have announces its end. */
  readonly maxRequests: number;
  /** Maximum connections that are served at once. The first request of a further one is refused. */
  readonly maxServed: number;
  /** With more served connections than this, each answer announces the end of its connection. At most `maxServed`. */
  readonly maxKeepAlive: number;
  /** With more open connections than this, silent and refused ones included, the oldest silent one is ended. */
  readonly crowdedAbove: number;
  /** Milliseconds for which a silent connection is never ended to make room. */
  readonly silentMs: number;
  readonly clock: Clock;
  /** Requests of one connection that may wait for those before them; what comes then is not read before one has gone. */
  readonly maxWaiting: number;
  /** Holds the answers that are owed. */
  readonly answers: Set<ServerResponse>;
  readonly listener: RequestListener;
  /** Answers a request that expects what there is not. */
  readonly refuseExpectation: RequestListener;
  /** Answers the first request of a connection that is one too many. */
  readonly refuseConnection: RequestListener;
  /** True if a connection begins with a TLS handshake. */
  readonly isEncrypted?: boolean;
  /** Answers a silent connection that has to make room, and closes it. */
  readonly endSilent: (socket: Socket) => void;
};

export type Connections = {
  /** Open connections, those that have sent no request yet included. */
  readonly open: number;
  /** Closes those on which nothing is owed, now and from now on once nothing is; takes no more requests. */
  close(): void;
  /** Breaks all off, whatever is owed. */
  breakOff(): void;
  /** True if what its client sends is not read now: that a request does not come in whole is not the client's doing. */
  isPaused(socket: Socket): boolean;
};

type Connection = {
  /** Monotonic milliseconds. */
  readonly openedAt: number;
  /** Requests that have arrived. */
  requests: number;
  /** Answers that are owed, each with the way to begin it, in their order: the first is under way, the others wait for it. */
  readonly owed: Map<ServerResponse, () => void>;
  isPaused: boolean;
};

/**
 * Hands the server's requests out, those of one connection one after the other. A request behind one whose answer
 * closes the connection must not be executed: its client would never learn of it. Node's own counter of requests would
 * leave the connection open and go on answering with empty 503s. Where there is no room, Node alone would reset the
 * next client instead of answering it.
 */
export function limitConnections(server: Server, options: ConnectionOptions): Connections {
  const connections = new LimitedConnections(options);
  const handTo =
    (begin: RequestListener): RequestListener =>
    (request, response) =>
      connections.take(request, response, begin);
  server.on('connection', (socket) => connections.add(socket));
  if (options.isEncrypted === true)
    server.on('secureConnection', (socket: Socket) => connections.addSecure(socket));
  server.on('request', handTo(options.listener));
  // A client that sends `Expect: 100-continue` gets its answer only when the body is read.
  server.on('checkContinue', handTo(options.listener));
  server.on('checkExpectation', handTo(options.refuseExpectation));
  // Node takes those for idle whose answer has ended, whether or not it has been sent.
  server.closeIdleConnections = () => connections.closeIdle();
  return connections;
}

class LimitedConnections implements Connections {
  readonly #options: ConnectionOptions;
  /** In the order in which they were opened. */
  readonly #all = new Map<Socket, Connection>();
  readonly #silent = new Set<Socket>();
  readonly #served = new Set<Socket>();
  /** Connections whose TLS handshake is under way, by the address and port of their client. */
  readonly #handshakes = new Map<string, Socket>();
  #isClosing = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  get open(): number {
    return this.#all.size;
  }

  /** Replaces a connection by the encrypted one on top of it, which Node reads requests from. */
  addSecure(socket: Socket): void {
    const client = clientOf(socket);
    const handshake = this.#handshakes.get(client);
    this.#handshakes.delete(client);
    if (handshake !== undefined) this.#forget(handshake);
    this.add(socket);
  }

  add(socket: Socket): void {
    if (this.#isClosing) return void socket.destroy();
    const openedAt = this.#options.clock.monotonic();
    const connection: Connection = { openedAt, requests: 0, owed: new Map(), isPaused: false };
    this.#all.set(socket, connection);
    this.#silent.add(socket);
    const client = clientOf(socket);
    if (this.#isHandshake(socket)) this.#handshakes.set(client, socket);
    socket.once('close', () => {
      this.#forget(socket);
      if (this.#handshakes.get(client) === socket) this.#handshakes.delete(client);
      endUnsent(connection.owed.keys());
    });
    if (this.#all.size > this.#options.crowdedAbove) this.#endOldestSilent(openedAt);
  }

  take(request: IncomingMessage, response: ServerResponse, begin: RequestListener): void {
    const { maxRequests, maxWaiting, maxKeepAlive, answers, refuseConnection } = this.#options;
    const { socket } = request;
    const connection = this.#all.get(socket);
    if (connection === undefined) return;
    const { owed } = connection;
    connection.requests += 1;
    const isFlood = connection.requests > maxRequests + maxWaiting;
    if (owed.size > maxWaiting || isFlood) this.#pause(socket, connection);
    // Sent ahead of the last answer: its client learns from the closed connection that it was not executed.
    if (connection.requests > maxRequests || this.#isClosing) return;
    const isServed = this.#serves(socket);
    const answer = isServed ? begin : refuseConnection;
    if (!isServed || this.#served.size > maxKeepAlive || connection.requests === maxRequests)
      response.setHeader('Connection', 'close');
    owed.set(response, () => answer(request, response));
    answers.add(response);
    response.on('close', () => {
      answers.delete(response);
      owed.delete(response);
      this.#goOn(socket, connection);
    });
    if (owed.size === 1 && !socket.writableEnded) answer(request, response);
  }

  close(): void {
    this.#isClosing = true;
    this.closeIdle();
  }

  isPaused(socket: Socket): boolean {
    return this.#all.get(socket)?.isPaused === true;
  }

  closeIdle(): void {
    for (const [socket, { owed }] of this.#all) if (owed.size === 0) socket.destroy();
  }

  breakOff(): void {
    for (const socket of this.#all.keys()) socket.destroy();
  }

  #isHandshake(socket: Socket): boolean {
    return this.#options.isEncrypted === true && !('encrypted' in socket);
  }

  #forget(socket: Socket): void {
    this.#all.delete(socket);
    this.#silent.delete(socket);
    this.#served.delete(socket);
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
    if (begin === undefined) this.#closeIfClosing(socket);
    else if (!socket.writableEnded) begin();
    if (!connection.isPaused || connection.owed.size > this.#options.maxWaiting) return;
    connection.isPaused = false;
    socket.resume();
  }

  /** False for a connection that is one too many: it stays refused. */
  #serves(socket: Socket): boolean {
    const isFirst = this.#silent.delete(socket);
    if (isFirst && this.#served.size < this.#options.maxServed) this.#served.add(socket);
    return this.#served.has(socket);
  }

  #closeIfClosing(socket: Socket): void {
    if (this.#isClosing) socket.destroy();
  }

  /**
   * Makes room for the next connections where silent ones hold nearly everything that may be open. Not at once: a request
   * that the system has received meanwhile is read first.
   */
  #endOldestSilent(now: number): void {
    const [oldest] = this.#silent;
    const { openedAt = now } = (oldest && this.#all.get(oldest)) ?? {};
    if (oldest === undefined || now - openedAt < this.#options.silentMs) return;
    setImmediate(() => {
      if (!this.#silent.delete(oldest)) return;
      // Nothing readable can be sent before the handshake is over.
      if (this.#isHandshake(oldest)) oldest.destroy();
      else this.#options.endSilent(oldest);
    });
  }
}

const clientOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

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
