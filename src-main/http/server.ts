// The listening server. Who calls: app/start-app.ts. One port on both loopback addresses: with only one of them,
// another program could listen on the other and receive the keys of clients that say `localhost`. Or one address that
// other machines reach, by TLS or through proxies.
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError } from '../base/app-error.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { formatHostPort } from '../domain/host-port.ts';
import { isLoopbackAddress } from '../domain/upstream/address-class.ts';
import {
  cannotListen,
  expectationFailed,
  portTaken,
  tooManyConnections,
  certificateUnusable,
} from '../domain/request-errors.ts';
import { mayConnect, type Proxies } from './arrival.ts';
import { answerBrokenRequests, lateHead } from './broken-requests.ts';
import { errorAnswer, sendError } from './error-response.ts';
import { limitConnections, type Connections } from './per-connection.ts';
import {
  crowdedConnections,
  drainMs,
  maxHeaders,
  maxKeepAliveConnections,
  maxOpenConnections,
  maxRequestsPerSocket,
  maxServedConnections,
  maxWaitingPerSocket,
  proxyKeepAliveMs,
  serverOptions,
  silentConnectionMs,
  socketTimeoutMs,
  securityHeaders,
} from './server-limits.ts';
import { createServer as createHttpsServer } from 'node:https';
import type { Emitter } from '../base/emitter.ts';

export type ServerOptions = {
  /** 0: any free port. */
  readonly port: number;
  /** A further address to listen on, open to others. Never empty: an empty one would mean all addresses. */
  readonly unsafeListen?: string;
  /** One address that other machines reach, in place of the loopback ones. */
  readonly listen?: ListenOptions | undefined;
  /** Makes the listener once the port is known, before the first request is read. */
  readonly listener: (port: number) => RequestListener;
  readonly clock: Clock;
  readonly log: Log;
};

export type ListenOptions = {
  readonly host: string;
  /** Undefined: connections are not encrypted. */
  readonly certificate?: CertificateSource | undefined;
  /** The only peers that may connect, beside this machine. Empty: all may. */
  readonly proxies: Proxies;
  /** True for addresses of this machine. */
  readonly isLoopback?: (address: string) => boolean;
};

export type RunningServer = {
  readonly port: number;
  readonly url: string;
  /** Connections that are open. */
  connections(): number;
  /** Takes no more requests, lets those under way end within the time (4 s by default), then closes every connection. */
  close(graceMs?: number): Promise<void>;
};

/** A port that is free on one address may be taken on the other; another free one is soon found. */
const freePortAttempts = 20;

/**
 * Listens on 127.0.0.1 and ::1, both or neither; only a machine without IPv6 loopback goes on with one. Throws
 * `port_taken`, or `invalid_input` for an address that cannot be listened on.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  for (let attempt = 1; ; attempt += 1) {
    const servers: Listening[] = [];
    try {
      return await listenOnAll(options, servers);
    } catch (error) {
      await Promise.all(servers.map(stopNow));
      const mayRetry = options.port === 0 && attempt < freePortAttempts;
      if (!mayRetry || !(error instanceof AppError) || error.code !== 'port_taken') throw error;
    }
  }
}

type Listening = { readonly server: Server; readonly connections: Connections };

async function listenOnAll(options: ServerOptions, servers: Listening[]): Promise<RunningServer> {
  const answers = new Set<ServerResponse>();
  let { port } = options;
  let listener: RequestListener | undefined;
  for (const host of hostsOf(options)) {
    const made = createOneServer(options, answers, (request, response) => listener?.(request, response));
    // Without IPv6 on this machine, no other program can listen on this address either.
    if (!(await listen(made.server, { host, port, log: options.log }))) continue;
    servers.push(made);
    port = (made.server.address() as AddressInfo).port;
    listener ??= options.listener(port);
  }
  return {
    port,
    url: urlOf(options, port),
    connections: () => servers.reduce((sum, { connections }) => sum + connections.open, 0),
    close: (graceMs = drainMs) => close({ servers, answers, clock: options.clock, graceMs }),
  };
}

const urlOf = ({ listen }: ServerOptions, port: number): string =>
  listen === undefined
    ? `http://127.0.0.1:${port}`
    : `${listen.certificate === undefined ? 'http' : 'https'}://${formatHostPort({ host: listen.host, port })}`;

const wildcards = new Set(['0.0.0.0', '::']);

function hostsOf({ unsafeListen, listen }: ServerOptions): readonly string[] {
  if (listen !== undefined) return [listen.host];
  const loopback = ['127.0.0.1', '::1'];
  if (unsafeListen === undefined) return loopback;
  const host = unsafeListen.trim();
  if (host === '') throw cannotListen(0, '""', 'an address must be named');
  // A wildcard holds its family's loopback address already.
  if (wildcards.has(host)) return [host, host === '::' ? '127.0.0.1' : '::1'];
  return loopback.includes(host) ? loopback : [...loopback, host];
}

function createOneServer(
  { clock, log, listen }: ServerOptions,
  answers: Set<ServerResponse>,
  listener: RequestListener,
): Listening {
  const certificate = listen?.certificate;
  const server = certificate === undefined ? createServer(serverOptions) : createTlsServer(certificate, log);
  if (listen !== undefined) refuseStrangers(server, listen);
  if (listen !== undefined && listen.proxies.size > 0) server.keepAliveTimeout = proxyKeepAliveMs;
  server.timeout = socketTimeoutMs;
  server.maxConnections = maxOpenConnections;
  // One more than allowed, so that one too many can be told from as many as allowed.
  server.maxHeadersCount = maxHeaders + 1;
  const refusing =
    (makeError: () => AppError): RequestListener =>
    (request, response) => {
      for (const name in securityHeaders) response.setHeader(name, securityHeaders[name] ?? '');
      sendError(request, response, { answer: errorAnswer(makeError(), log), clock });
    };
  const connections = limitConnections(server, {
    maxRequests: maxRequestsPerSocket,
    maxServed: maxServedConnections,
    maxKeepAlive: maxKeepAliveConnections,
    crowdedAbove: crowdedConnections,
    silentMs: silentConnectionMs,
    maxWaiting: maxWaitingPerSocket,
    clock,
    answers,
    listener,
    isEncrypted: certificate !== undefined,
    refuseExpectation: refusing(expectationFailed),
    refuseConnection: refusing(tooManyConnections),
    // As Node does at its own header timeout.
    endSilent: (socket) => void server.emit('clientError', lateHead(), socket),
  });
  answerBrokenRequests(server, { clock, log, connections });
  return { server, connections };
}

/** Breaks off connections that come neither through a proxy nor from this machine. */
function refuseStrangers(server: Server, { proxies, isLoopback = isLoopbackAddress }: ListenOptions): void {
  server.on('connection', (socket) => {
    if (!mayConnect(socket.remoteAddress ?? '', proxies, isLoopback)) socket.destroy();
  });
}

type Address = { readonly host: string; readonly port: number; readonly log: Log };

/** False when the machine has no such address family. */
function listen(server: Server, { host, port, log }: Address): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isAbsent = host === '::1' && (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT');
      if (isAbsent) resolve(false);
      else
        reject(error.code === 'EADDRINUSE' ? portTaken(port, host, error) : cannotListen(port, host, error));
    });
    server.listen({ host, port, ipv6Only: true }, () => {
      server.removeAllListeners('error');
      server.on('error', (error) => log.warn({ error }, 'a connection could not be accepted'));
      resolve(true);
    });
  });
}

const stopListening = ({ server }: Listening): Promise<void> =>
  new Promise((resolve) => server.close(() => resolve()));

/** Stops a server whose address was never published, without waiting for clients that have found it all the same. */
function stopNow(listening: Listening): Promise<void> {
  const stopped = stopListening(listening);
  listening.connections.breakOff();
  return stopped;
}

type Closing = {
  readonly servers: readonly Listening[];
  readonly answers: ReadonlySet<ServerResponse>;
  readonly clock: Clock;
  readonly graceMs: number;
};

async function close({ servers, answers, clock, graceMs }: Closing): Promise<void> {
  for (const answer of answers) if (!answer.headersSent) answer.setHeader('Connection', 'close');
  const stopped = servers.map(stopListening);
  for (const { connections } of servers) connections.close();
  const cancel = clock.setTimer(graceMs, () => servers.forEach(({ connections }) => connections.breakOff()));
  await Promise.all(stopped);
  cancel();
}

// A server whose connections are encrypted, with a certificate that may be renewed while it runs.

/** In PEM form; `cert` with the certificates of its authorities, its own first. */
type Certificate = { readonly cert: string; readonly key: string };

type CertificateSource = {
  readonly current: Certificate;
  readonly changes: Pick<Emitter<Certificate>, 'listen'>;
};

/** As long as a request's headers may take. */
const handshakeTimeout = 10_000;

/** Connections that are open keep their certificate when it changes. Throws `invalid_input` for an unusable one. */
function createTlsServer(source: CertificateSource, log: Log): Server {
  const server = createWith(source.current);
  const stop = source.changes.listen((certificate) => {
    try {
      server.setSecureContext(certificate);
      log.info({}, 'the TLS certificate was renewed');
    } catch (error) {
      log.warn({ error }, 'the TLS certificate changed and cannot be used: the one before it stays in use');
    }
  });
  server.once('close', stop);
  return server;
}

function createWith(certificate: Certificate) {
  try {
    return createHttpsServer({ ...serverOptions, ...certificate, handshakeTimeout });
  } catch (error) {
    throw certificateUnusable(error);
  }
}
