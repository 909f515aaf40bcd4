// Which client a request comes from, and whether it came by https: as the connection tells, and as trusted proxies do.
// Forwarding headers of any other peer count for nothing. Who calls: the guard's layer in create-http-app.ts.
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import { peerAddress } from '../domain/upstream/address-class.ts';

export type Arrival = {
  /** The client's address; empty if a proxy does not name one. */
  readonly client: string;
  /** True if nothing between the client and this machine could read the request. */
  readonly isSecure: boolean;
};

export type ReceivedRequest = {
  /** Address of the other end of the connection; undefined once it is closed. */
  readonly peer: string | undefined;
  readonly isEncrypted: boolean;
  /** Name, value, name, value … as they came. */
  readonly rawHeaders: readonly string[];
};

/** Addresses of trusted proxies in canonical form. */
export type Proxies = ReadonlySet<string>;

export const proxiesOf = (addresses: readonly string[]): Proxies => new Set(addresses.map(peerAddress));

/** Reads the request's origin. Every proxy adds the address of its own peer, so the last foreign one is the client. */
export function readArrival(
  { peer = '', isEncrypted, rawHeaders }: ReceivedRequest,
  proxies: Proxies,
): Arrival {
  if (!proxies.has(peerAddress(peer))) return { client: peer, isSecure: isEncrypted };
  const addresses = valuesOf(rawHeaders, 'x-forwarded-for').flatMap((value) => value.split(','));
  const client = addresses.map(withoutPort).findLast((address) => !proxies.has(peerAddress(address)));
  const protocols = valuesOf(rawHeaders, 'x-forwarded-proto');
  const isHttps = protocols.length === 1 && protocols[0]?.trim().toLowerCase() === 'https';
  return { client: client ?? '', isSecure: protocols.length === 0 ? isEncrypted : isHttps };
}

/** `203.0.113.7:5120` and `[2001:db8::7]:5120` as some proxies write them, without the port. */
function withoutPort(text: string): string {
  const trimmed = text.trim();
  return /^\[(.+)\](?::\d+)?$/.exec(trimmed)?.[1] ?? /^([\d.]+):\d+$/.exec(trimmed)?.[1] ?? trimmed;
}

const valuesOf = (rawHeaders: readonly string[], lowerName: string): readonly string[] =>
  rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === lowerName);

/** True if a connection from that address is accepted. With proxies, only they and this machine may connect. */
export const mayConnect = (
  peer: string,
  proxies: Proxies,
  isLoopback: (address: string) => boolean,
): boolean => proxies.size === 0 || proxies.has(peerAddress(peer)) || isLoopback(peer);

/** Reads where requests come from that reach the server directly or through the proxies. */
export const arrivalThrough =
  (proxies: Proxies) =>
  ({ socket, rawHeaders }: IncomingMessage): Arrival =>
    readArrival(
      { peer: socket.remoteAddress, isEncrypted: socket instanceof TLSSocket, rawHeaders },
      proxies,
    );
