// The ports on which the app answers: the loopback ones, or one address that other machines reach. A server that other
// machines reach has a loopback port too, on a free number, for the command line and for repeated calls of this machine.
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { sleep } from '../base/sleep.ts';
import type { HostPort } from '../domain/host-port.ts';
import { CertificateFiles, type CertificatePaths } from '../files/certificate-files.ts';
import { arrivalThrough, proxiesOf } from '../http/arrival.ts';
import { createHttpApp, type HttpAppDeps } from '../http/create-http-app.ts';
import { localSite, publicSite } from '../http/guard.ts';
import { createHealthRoutes, Readiness } from '../http/health.ts';
import { startServer, type RunningServer } from '../http/server.ts';
import { drainMs } from '../http/server-limits.ts';
import type { ReadyCheck } from '../services/ports.ts';

export type PublicListen = HostPort & {
  /** Origin that clients use, such as `https://rowbench.example`; undefined only on loopback. */
  readonly publicUrl?: string | undefined;
  readonly tls?: CertificatePaths | undefined;
  /** Addresses of the only peers that may connect, beside this machine. Empty: all may. */
  readonly proxies: readonly string[];
};

export type HttpServersDeps = {
  readonly app: Omit<HttpAppDeps, 'site' | 'arrivalOf' | 'health' | 'clock' | 'log'>;
  /** Port of the loopback addresses; 0: any free one. Not used with `listen`. */
  readonly port: number;
  readonly unsafeListen: string | undefined;
  /** Further names that the user allows. Not used with `listen`. */
  readonly allowedHosts: readonly string[];
  readonly listen: PublicListen | undefined;
  /** Checks of `/readyz`. */
  readonly readyChecks: readonly ReadyCheck[];
  /** True if probes are answered on the loopback addresses too: for servers of a team. */
  readonly isProbedLocally: boolean;
  readonly clock: Clock;
  readonly log: Log;
};

export type HttpServers = {
  /** Where clients find the server. */
  readonly url: string;
  /** The same server for programs of this machine. */
  readonly localUrl: string;
  readonly ports: readonly number[];
  /** Addresses that it listens on, wildcards among them. */
  readonly addresses: readonly HostPort[];
  /** Connections that are open. */
  connections(): number;
  /** Says first that the server is not ready, if something probes it. Resolves when no request can come any more. */
  drain(): Promise<void>;
  /** Lets requests that are under way end, then closes all connections. */
  close(): Promise<void>;
};

const localHost = '127.0.0.1';

/** How long probes find a server that is not ready before it takes no more requests, out of the time for draining. */
const unreadyMs = 2_500;

/** Throws `port_taken`, `invalid_input`. */
export const openHttpServers = (deps: HttpServersDeps): Promise<HttpServers> =>
  deps.listen === undefined ? openLoopback(deps) : openPublic(deps, deps.listen);

async function openLoopback(deps: HttpServersDeps): Promise<HttpServers> {
  const { app, unsafeListen, allowedHosts, readyChecks: checks, clock, log } = deps;
  const readiness = new Readiness({ checks, clock, log });
  const health = deps.isProbedLocally ? { health: createHealthRoutes(readiness) } : {};
  let graceMs = drainMs;
  const server = await startServer({
    port: deps.port,
    ...(unsafeListen === undefined ? {} : { unsafeListen }),
    listener: (port) => {
      // A wildcard is no name that a client could use; the names of such a machine are a setting.
      const named =
        unsafeListen === undefined
          ? []
          : [`${unsafeListen.includes(':') ? `[${unsafeListen}]` : unsafeListen}:${port}`];
      const site = localSite(port, [...named, ...allowedHosts]);
      return createHttpApp({ ...app, ...health, site, clock, log });
    },
    clock,
    log,
  });
  return {
    url: server.url,
    localUrl: server.url,
    ports: [server.port],
    addresses: [{ host: localHost, port: server.port }],
    connections: () => server.connections(),
    drain: async () => {
      graceMs = await drain(readiness, clock);
    },
    close: () => server.close(graceMs),
  };
}

async function openPublic(deps: HttpServersDeps, listen: PublicListen): Promise<HttpServers> {
  const { clock, log } = deps;
  const certificate =
    listen.tls === undefined ? undefined : await CertificateFiles.open(listen.tls, { clock, log });
  const readiness = new Readiness({ checks: deps.readyChecks, clock, log });
  let server: RunningServer | undefined;
  try {
    server = await startPublic(deps, { listen, certificate, readiness });
    const local = await startForThisMachine(deps, { ...listen, port: server.port });
    const url = listen.publicUrl ?? server.url;
    return publicServers({ url, host: listen.host, server, local, certificate, readiness, clock });
  } catch (error) {
    certificate?.close();
    await server?.close(0);
    throw error;
  }
}

/** Waits until probes know that the server stops, if there are any. Resolves to the time that requests then have to end. */
async function drain(readiness: Readiness, clock: Clock): Promise<number> {
  readiness.drain();
  if (!readiness.isProbed) return drainMs;
  await sleep(clock, unreadyMs);
  return drainMs - unreadyMs;
}

type StartedServers = {
  readonly url: string;
  readonly host: string;
  readonly server: RunningServer;
  readonly local: RunningServer;
  readonly certificate: CertificateFiles | undefined;
  readonly readiness: Readiness;
  readonly clock: Clock;
};

function publicServers(started: StartedServers): HttpServers {
  const { url, host, server, local, certificate, readiness, clock } = started;
  let graceMs = drainMs;
  return {
    url,
    localUrl: local.url,
    ports: [local.port, server.port],
    addresses: [
      { host: localHost, port: local.port },
      { host, port: server.port },
    ],
    connections: () => local.connections() + server.connections(),
    drain: async () => {
      graceMs = await drain(readiness, clock);
    },
    close: async () => {
      certificate?.close();
      await Promise.all([local.close(graceMs), server.close(graceMs)]);
    },
  };
}

/**
 * A port that only programs of this machine reach, and so needs no TLS. It answers under the public server's names too,
 * since repeated calls have them.
 */
function startForThisMachine(
  { app, clock, log }: HttpServersDeps,
  { publicUrl: publicOrigin, host: publicHost, port: publicPort }: PublicListen,
): Promise<RunningServer> {
  const host = localHost;
  const arrival = { client: host, isSecure: true };
  const listensOn = (port: number) => [
    { host, port },
    { host: publicHost, port: publicPort },
  ];
  return startServer({
    port: 0,
    listener: (port) =>
      createHttpApp({
        ...app,
        site: publicSite({ publicOrigin, listensOn: listensOn(port), isEncrypted: false }),
        arrivalOf: () => arrival,
        clock,
        log,
      }),
    clock,
    log,
  });
}

type PublicDeps = {
  readonly listen: PublicListen;
  readonly certificate: CertificateFiles | undefined;
  readonly readiness: Readiness;
};

function startPublic({ app, clock, log }: HttpServersDeps, deps: PublicDeps): Promise<RunningServer> {
  const { listen, certificate, readiness } = deps;
  const { host, publicUrl: publicOrigin } = listen;
  const proxies = proxiesOf(listen.proxies);
  return startServer({
    port: listen.port,
    listen: { host, certificate, proxies },
    listener: (port) =>
      createHttpApp({
        ...app,
        health: createHealthRoutes(readiness),
        site: publicSite({
          publicOrigin,
          listensOn: [{ host, port }],
          isEncrypted: certificate !== undefined,
        }),
        arrivalOf: arrivalThrough(proxies),
        clock,
        log,
      }),
    clock,
    log,
  });
}
