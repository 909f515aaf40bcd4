// Options of `rowbench serve` for a server that other machines reach, and what they must have in common.
import { Option } from 'commander';
import type { RunningMetrics } from '../../app/metrics/open-metrics.ts';
import type { PublicListen } from '../../app/open-http-servers.ts';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { formatHostPort, parseHostPort, type HostPort } from '../../domain/host-port.ts';
import { isLoopbackAddress, parseIpv4, parseIpv6 } from '../../domain/upstream/address-class.ts';
import { UsageError } from '../exit-code.ts';

export type ListenFlags = {
  readonly listen?: HostPort;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly behindProxy?: readonly string[];
  readonly publicUrl?: string;
  readonly port?: number;
  readonly unsafeListen?: string;
};

export const listenOptions = (): readonly Option[] => [
  new Option(
    '--listen <host:port>',
    'with a database: the address to listen on instead of 127.0.0.1; other machines need TLS or a proxy',
  ).argParser((text) => parseAddress('--listen', text)),
  new Option('--tls-cert <file>', 'certificate for --listen in PEM form; read again when it changes'),
  new Option('--tls-key <file>', 'private key of the certificate in PEM form'),
  new Option(
    '--behind-proxy <address,...>',
    'the only addresses that may connect beside this machine, and whose X-Forwarded headers count',
  ).argParser(parseProxies),
  new Option('--public-url <url>', 'https address that clients use for --listen').argParser(parsePublicUrl),
];

/** The address that other machines reach; undefined without `--listen`. Throws a `UsageError` for an unsafe one. */
export function publicListenOf(flags: ListenFlags, hasDatabase: boolean): PublicListen | undefined {
  const { listen, publicUrl, behindProxy: proxies = [] } = flags;
  if (hasDatabase && flags.unsafeListen !== undefined)
    throw new UsageError('--unsafe-listen is refused with a database; use --listen with TLS or a proxy');
  if (listen === undefined) {
    assertNoneWithoutListen(flags);
    return undefined;
  }
  if (!hasDatabase)
    throw new UsageError('--listen needs --database: a data folder is served on this machine alone');
  if (flags.port !== undefined) throw new UsageError('--listen names the port; leave out --port');
  const tls = tlsOf(flags);
  const isSafe = tls !== undefined || proxies.length > 0;
  const host = listen.host.toLowerCase() === 'localhost' ? '127.0.0.1' : listen.host;
  if (!isLoopbackAddress(host)) assertSafe(listen, { isSafe, publicUrl });
  if (publicUrl !== undefined && !isSafe)
    throw new UsageError('--public-url needs --tls-cert and --tls-key, or --behind-proxy');
  return { host, port: listen.port, publicUrl, tls, proxies };
}

function assertNoneWithoutListen({ tlsCert, tlsKey, behindProxy, publicUrl }: ListenFlags): void {
  const flags = Object.entries({
    '--tls-cert': tlsCert,
    '--tls-key': tlsKey,
    '--behind-proxy': behindProxy,
    '--public-url': publicUrl,
  });
  const name = flags.find(([, value]) => value !== undefined)?.[0];
  if (name !== undefined) throw new UsageError(`${name} needs --listen`);
}

function tlsOf({ tlsCert: certFile, tlsKey: keyFile }: ListenFlags): PublicListen['tls'] {
  if (certFile === undefined && keyFile === undefined) return undefined;
  if (certFile === undefined || keyFile === undefined)
    throw new UsageError('--tls-cert and --tls-key are used together');
  return { certFile, keyFile };
}

type Safety = { readonly isSafe: boolean; readonly publicUrl: string | undefined };

function assertSafe(listen: HostPort, { isSafe, publicUrl }: Safety): void {
  const option = `--listen ${formatHostPort(listen)}`;
  if (!isSafe)
    throw new UsageError(
      `${option} is open to other machines: add --tls-cert and --tls-key, or --behind-proxy with the address of a proxy`,
    );
  if (publicUrl === undefined)
    throw new UsageError(
      `${option} is open to other machines: add --public-url with the https address that clients use`,
    );
}

/** Throws a `UsageError`. */
function parseAddress(option: string, text: string): HostPort {
  const address = parseHostPort(text);
  if (address === undefined) throw new UsageError(`${option} must be an address with a port, not "${text}"`);
  return address;
}

function parseProxies(text: string): readonly string[] {
  const addresses = text.split(',').map((address) => address.trim());
  const wrong = addresses.find(
    (address) => parseIpv4(address) === undefined && parseIpv6(address) === undefined,
  );
  if (wrong !== undefined)
    throw new UsageError(`--behind-proxy must be IP addresses, separated by commas, not "${wrong}"`);
  return addresses;
}

/** The origin alone: a server is at the root of its host. */
function parsePublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' || url.href !== `${url.origin}/`)
    throw new UsageError(`--public-url must be like https://rowbench.example.com, not "${text}"`);
  return url.origin;
}

/** `--metrics`, for the commands whose process a monitoring system may watch. */
export const metricsOption = (): Option =>
  new Option(
    '--metrics <[host:]port>',
    'serve figures for Prometheus on this port, at /metrics; on 127.0.0.1 unless a host is named',
  ).argParser((text) => parseAddress('--metrics', /^\d+$/.test(text) ? `127.0.0.1:${text}` : text));

/** Opens the figures; undefined without an address. */
export async function metricsAt(
  address: HostPort | undefined,
  deps: { readonly clock: Clock; readonly log: Log },
): Promise<RunningMetrics | undefined> {
  if (address === undefined) return undefined;
  const { openMetrics } = await import('../../app/metrics/open-metrics.ts');
  return openMetrics(address, deps);
}
