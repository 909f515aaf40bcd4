// Connects to granted addresses only. The checked address is the connected one: a name is looked up once, here, and a
// later lookup with another answer does not matter.
import { networkInterfaces } from 'node:os';
import { buildConnector, Client } from 'undici';
import {
  canonicalAddress,
  classifyAddress,
  isMetadataName,
  type AddressClass,
  type FoundClass,
} from '../../domain/upstream/address-class.ts';
import type { HostPort } from '../../domain/host-port.ts';
import { CallError } from './call-error.ts';
import { RefusedAddress } from './describe-refusal.ts';

/** All addresses of a name, best first. Rejects as `dns.lookup` does. */
export type Lookup = (host: string) => Promise<readonly string[]>;

export type ConnectRules = {
  readonly granted: ReadonlySet<AddressClass>;
  /** Ports of this machine that Rowbench itself listens on. */
  readonly ownPorts: () => Iterable<number>;
  /** Further servers that belong to Rowbench, on any machine: a database, other servers of the same team. */
  readonly ownServers: () => Iterable<HostPort> | Promise<Iterable<HostPort>>;
  readonly lookup: Lookup;
  readonly connectMs: number;
  /** The proxy for calls to an origin; undefined: none. Only public addresses are ever asked of it. */
  readonly proxyFor: (origin: URL) => URL | undefined;
};

const socketBufferBytes = 16_384;

type LookedUp = (error: Error | null, addresses: readonly { address: string; family: number }[]) => void;

/** Connects to one origin. */
export function checkedConnector(origin: URL, rules: ConnectRules): buildConnector.connector {
  const port = Number(origin.port) || (origin.protocol === 'https:' ? 443 : 80);
  const lookUp = (host: string, _options: unknown, done: LookedUp): void => {
    rules
      .lookup(host)
      .then((addresses) => permitted(addresses, { host, port }, rules))
      .then(
        (addresses) => done(null, addresses.map(withFamily)),
        (error: unknown) => done(error as Error, []),
      );
  };
  const options: buildConnector.BuildOptions & { readonly highWaterMark: number } = {
    // Set explicitly, so that no environment variable can disable it.
    rejectUnauthorized: true,
    timeout: rules.connectMs,
    autoSelectFamily: true,
    // Maximum bytes that each connection buffers.
    highWaterMark: socketBufferBytes,
    lookup: lookUp as never,
  };
  const connect = buildConnector(options);
  return (target, callback) => {
    const { hostname: host } = target;
    const connectAs = (proxy: URL | undefined): void => {
      if (proxy === undefined) return connect(target, callback);
      publicAddress({ host, port }, rules)
        .then((address) =>
          address === undefined ? undefined : openTunnel(proxy, { address, port }, rules.connectMs),
        )
        .then(
          (httpSocket) => {
            if (httpSocket === undefined) connect(target, callback);
            else if (origin.protocol === 'http:') callback(null, httpSocket);
            else connect({ ...target, httpSocket }, callback);
          },
          (error: unknown) => callback(error as Error, null),
        );
    };
    assertHost({ host, port }, rules).then(
      () => connectAs(rules.proxyFor(origin)),
      (error: unknown) => callback(error as Error, null),
    );
  };
}

/** Throws for a host that is refused as it is written. An address needs no lookup, so it is judged here. */
async function assertHost(target: HostPort, rules: ConnectRules): Promise<void> {
  const { host } = target;
  if (isMetadataName(host)) throw new RefusedAddress(host, host, 'metadata');
  if (isAddress(host)) await permitted([host], target, rules);
}

/** The address that a proxy may be asked for; undefined if the target is not public, and so is connected to directly. */
async function publicAddress(target: HostPort, rules: ConnectRules): Promise<string | undefined> {
  const { host } = target;
  const addresses = isAddress(host) ? [host] : await rules.lookup(host);
  return (await permitted(addresses, target, rules)).find((address) => classifyAddress(address) === 'public');
}

/** The addresses that may be connected to. If there are none, it throws the refusal of the first address. */
async function permitted(
  addresses: readonly string[],
  { host, port }: HostPort,
  rules: ConnectRules,
): Promise<readonly string[]> {
  const isOwn = await ownAddressesAt(port, rules);
  const verdicts = addresses.map((address) => ({
    address,
    found: isOwn(address) ? ('own' as const) : classifyAddress(address),
  }));
  const allowed = verdicts.filter(({ found }) => isGranted(found, rules.granted));
  const [first] = verdicts;
  if (first === undefined) throw new CallError('was not answered: its name has no address');
  if (allowed.length === 0) throw new RefusedAddress(host, first.address, first.found);
  return allowed.map(({ address }) => address);
}

/**
 * Tells which addresses are Rowbench itself at that port. Names are looked up anew, since their addresses change; throws
 * if that fails, so that no call is made unchecked.
 */
async function ownAddressesAt(port: number, rules: ConnectRules): Promise<(address: string) => boolean> {
  const hosts = [...(await rules.ownServers())]
    .filter((server) => server.port === port)
    .map(({ host }) => host);
  const found = await Promise.all(hosts.map((host) => lookUpOwn(host, rules)));
  const own = found.flat().map(canonicalAddress);
  // A server on this machine may be reached by any of the machine's addresses.
  const isHere = [...rules.ownPorts()].includes(port) || own.some(isOfThisMachine);
  return (address) => own.includes(canonicalAddress(address)) || (isHere && isOfThisMachine(address));
}

async function lookUpOwn(host: string, { lookup }: ConnectRules): Promise<readonly string[]> {
  if (isAddress(host)) return [host];
  try {
    return await lookup(host);
  } catch {
    throw new CallError('was not made: the addresses of Rowbench itself could not be looked up');
  }
}

function isOfThisMachine(address: string): boolean {
  if (classifyAddress(address) === 'loopback') return true;
  const canonical = canonicalAddress(address);
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.some((own) => canonicalAddress(own.address) === canonical);
}

const isGranted = (found: FoundClass | 'own', granted: ReadonlySet<FoundClass | 'own'>): boolean =>
  granted.has(found);

const isAddress = (host: string): boolean => host.includes(':') || /^[\d.]+$/.test(host);

const withFamily = (address: string): { address: string; family: number } => ({
  address,
  family: address.includes(':') ? 6 : 4,
});

// A connection to a target through an HTTP proxy (CONNECT). The proxy is asked for the address that was checked, and not
// for the name, whose address it could find to be another one.

/** Socket of a connection, as a connector hands it over. */
type Socket = Exclude<Parameters<buildConnector.Callback>[1], null>;
type Target = { readonly address: string; readonly port: number };

/** Opens the tunnel. Rejects with a `CallError`, or the error of the connection to the proxy. */
async function openTunnel(proxy: URL, { address, port }: Target, connectMs: number): Promise<Socket> {
  const client = new Client(proxy.origin, { connect: { timeout: connectMs } });
  const host = `${address.includes(':') ? `[${address}]` : address}:${port}`;
  try {
    const { statusCode, socket } = await client.connect({
      path: host,
      headers: { host, ...authorization(proxy) },
      signal: AbortSignal.timeout(connectMs),
    });
    if (statusCode === 200) {
      // The socket has left the client, which would wait for it for ever.
      socket.once('close', () => void client.destroy());
      // Typed as any stream; it is the socket of the connection.
      return socket as Socket;
    }
    socket.on('error', () => undefined).destroy();
    throw new CallError(`was refused by the proxy ${proxy.host} with status ${statusCode}`);
  } catch (error) {
    await client.destroy();
    if (error instanceof CallError) throw error;
    throw new CallError(`was not made: the proxy ${proxy.host} did not answer`);
  }
}

function authorization({ username, password }: URL): Record<string, string> {
  if (username === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}
