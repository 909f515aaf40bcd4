// `/metrics` on a port of its own. Off loopback it answers under any name, since a monitoring system calls an address.
// Who calls: `rowbench serve --metrics`.
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import type { HostPort } from '../../domain/host-port.ts';
import { guardRefused, methodNotAllowed, routeNotFound } from '../../domain/request-errors.ts';
import { isLoopbackAddress } from '../../domain/upstream/address-class.ts';
import { errorAnswer, sendError } from '../../http/error-response.ts';
import { checkRequest, localSite } from '../../http/guard.ts';
import { startServer, type ServerOptions } from '../../http/server.ts';
import type { PrometheusMetrics } from './prometheus-metrics.ts';

export type RunningMetrics = {
  readonly metrics: Metrics;
  /** Where it listens: no workflow may call it. */
  readonly address: HostPort;
  readonly url: string;
  close(): Promise<void>;
};

type MetricsDeps = { readonly clock: Clock; readonly log: Log };

type RequestListener = ReturnType<ServerOptions['listener']>;
type Request = Parameters<RequestListener>[0];

/** Throws `port_taken`, `invalid_input`. */
export async function openMetrics(
  { host, port }: HostPort,
  { clock, log }: MetricsDeps,
): Promise<RunningMetrics> {
  const { PrometheusMetrics } = await import('./prometheus-metrics.ts');
  const metrics = new PrometheusMetrics(log);
  const server = await startServer({
    port,
    listen: { host, proxies: new Set() },
    listener: (port) => {
      const assertWelcome = isLoopbackAddress(host) ? guardOf(port) : () => undefined;
      return (request, response) => {
        answer(metrics, request, assertWelcome).then(
          (text) => response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text),
          (error: unknown) => sendError(request, response, { answer: errorAnswer(error, log), clock }),
        );
      };
    },
    clock,
    log,
  });
  const address = { host, port: server.port };
  return { metrics, address, url: `${server.url}/metrics`, close: () => server.close(0) };
}

async function answer(
  metrics: PrometheusMetrics,
  request: Request,
  assertWelcome: (request: Request) => void,
): Promise<string> {
  assertWelcome(request);
  if (request.url !== '/metrics') throw routeNotFound();
  if (request.method !== 'GET') throw methodNotAllowed('GET');
  return metrics.collect();
}

/** Keeps out web pages of this machine's browsers, as the guard does on every other port. */
const guardOf =
  (port: number) =>
  ({ rawHeaders, url }: Request): void => {
    const arrival = { client: '127.0.0.1', isSecure: false };
    const refusal = checkRequest({ rawHeaders, url, kind: 'public', site: localSite(port, []), arrival });
    if (refusal !== undefined) throw guardRefused(refusal);
  };
