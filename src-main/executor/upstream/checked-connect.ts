// Connects to granted addresses only. The checked address is the connected one: a name is looked up once, here, and a
// later lookup with another answer does not matter.
import { networkInterfaces } from 'node:os';
import { buildConnector } from 'undici';
import { canonicalAddress, classifyAddress, isMetadataName } from '../../domain/upstream/address-class.ts';
import type { AddressClass, FoundClass } from '../../domain/upstream/address-class.ts';
import { CallError } from './call-error.ts';
import { openTunnel } from './tunnel.ts';
import { RefusedAddress } from './refused-address.ts';

/** All addresses of a name, best first. Rejects as `dns.lookup` does. */
export type Lookup = (host: string) => Promise<readonly string[]>;

export type ConnectRules = {
  readonly granted: ReadonlySet<AddressClass>;
  /** Ports of this machine that Rowbench itself listens on. */
  readonly ownPorts: () => Iterable<number>;
  readonly lookup: Lookup;
  readonly connectMs: number;
  /** The proxy for calls to an origin; undefined: none. Only public addresses are ever asked of it. */
  readonly proxyFor: (origin: URL) => URL | undefined;
};

const socketBufferBytes = 16_384;

type Target = { readonly host: string; readonly port: number };
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
    try {
      if (isMetadataName(host)) throw new RefusedAddress(host, host, 'metadata');
      // An address needs no lookup.
      if (isAddress(host)) permitted([host], { host, port }, rules);
    } catch (error) {
      return callback(error as Error, null);
    }
    const proxy = rules.proxyFor(origin);
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
}

/** The address that a proxy may be asked for; undefined if the target is not public, and so is connected to directly. */
async function publicAddress(target: Target, rules: ConnectRules): Promise<string | undefined> {
  const { host, port } = target;
  const addresses = isAddress(host) ? [host] : await rules.lookup(host);
  return permitted(addresses, target, rules).find((address) => findClass(address, port, rules) === 'public');
}

/** The addresses that may be connected to. If there are none, it throws the refusal of the first address. */
function permitted(addresses: readonly string[], target: Target, rules: ConnectRules): readonly string[] {
  const verdicts = addresses.map((address) => ({ address, found: findClass(address, target.port, rules) }));
  const allowed = verdicts.filter(({ found }) => isGranted(found, rules.granted));
  const [first] = verdicts;
  if (first === undefined) throw new CallError('was not answered: its name has no address');
  if (allowed.length === 0) throw new RefusedAddress(target.host, first.address, first.found);
  return allowed.map(({ address }) => address);
}

function findClass(address: string, port: number, rules: ConnectRules): FoundClass | 'own' {
  const found = classifyAddress(address);
  if (![...rules.ownPorts()].includes(port)) return found;
  return found === 'loopback' || ownAddresses().has(canonicalAddress(address)) ? 'own' : found;
}

function ownAddresses(): ReadonlySet<string> {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return new Set(all.map(({ address }) => canonicalAddress(address)));
}

const isGranted = (found: FoundClass | 'own', granted: ReadonlySet<FoundClass | 'own'>): boolean =>
  granted.has(found);

const isAddress = (host: string): boolean => host.includes(':') || /^[\d.]+$/.test(host);

const withFamily = (address: string): { address: string; family: number } => ({
  address,
  family: address.includes(':') ? 6 : 4,
});
