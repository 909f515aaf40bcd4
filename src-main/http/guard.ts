// Decides which requests may reach the server. One pure function for every transport (requests, event streams, pages),
// called before any other code looks at a request. Any web page in any browser on this machine can reach a loopback
// port, but it cannot choose its Host, Origin and Sec-Fetch-Site headers.
// INVARIANT: it never throws, whatever the headers are.

import { isLoopbackAddress } from '../domain/upstream/address-class.ts';
import { formatHostPort, type HostPort } from '../domain/host-port.ts';
import type { Arrival } from './arrival.ts';

/** `public`: /api/v1 and its description. `control`: the private door. `page`: the app's own files. */
export type RequestKind = 'public' | 'control' | 'page';

/** Names by which clients may address the server: `host:port` in lower case, each with the origin of our pages there. */
export type SiteNames = {
  readonly origins: ReadonlyMap<string, string>;
  /** Further names, for clients on this machine alone. */
  readonly localOrigins: ReadonlyMap<string, string>;
  /** The refusal of any other name. */
  readonly otherName: GuardRefusal;
};

export type GuardedRequest = {
  /** Name, value, name, value … as they came: merged headers would hide a second Host. */
  readonly rawHeaders: readonly string[];
  /** The request target. */
  readonly url: string | undefined;
  readonly kind: RequestKind;
  readonly site: SiteNames;
  readonly arrival: Arrival;
};

/** Why a request is refused, in words for the client. */
export type GuardRefusal =
  | 'The request target must be a path'
  | 'The Host header does not name this server. The setting "allowedHosts" allows further names'
  | 'The Host header does not name this server. It must be the host of --public-url'
  | 'This server is used over https. A proxy must send the header "X-Forwarded-Proto: https"'
  | 'Requests from other sites are refused'
  | 'Requests from other origins are refused';

type BrowserHeaders = {
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
  readonly fetchSites: readonly string[];
};

/**
 * The reason to refuse a request with 403; undefined when it may pass. Without `Sec-Fetch-Site` and `Origin` the
 * sender is a script, or a page after DNS rebinding, which sends neither: then the exact Host is the only signal.
 */
export function checkRequest(request: GuardedRequest): GuardRefusal | undefined {
  if (!isOriginForm(request.url)) return 'The request target must be a path';
  const { hosts, origins, fetchSites } = browserHeaders(request.rawHeaders);
  const origin = originOf(hosts, request);
  if (origin === undefined) return request.site.otherName;
  if (origin.startsWith('https:') && !request.arrival.isSecure)
    return 'This server is used over https. A proxy must send the header "X-Forwarded-Proto: https"';
  if (fetchSites.length > 0 && !isOwnSite(fetchSites, request.kind))
    return 'Requests from other sites are refused';
  if (!origins.every((each) => each === origin) || origins.length > 1)
    return 'Requests from other origins are refused';
  return undefined;
}

/** Origin of our pages under the name that the client used; undefined if it is none of ours. */
function originOf(
  [host, ...further]: readonly string[],
  { site, arrival }: GuardedRequest,
): string | undefined {
  if (host === undefined || further.length > 0) return undefined;
  const name = host.toLowerCase();
  const local = isLoopbackAddress(arrival.client) ? site.localOrigins.get(name) : undefined;
  return site.origins.get(name) ?? local;
}

/** The names of a server on loopback, and those that the user added. */
export const localSite = (port: number, added: readonly string[]): SiteNames => ({
  origins: withOrigins('http', [...loopbackNames(port), ...added]),
  localOrigins: new Map(),
  otherName: 'The Host header does not name this server. The setting "allowedHosts" allows further names',
});

export type PublicSite = {
  /** Origin that clients use, such as `https://rowbench.example`. Undefined: clients on this machine alone. */
  readonly publicOrigin: string | undefined;
  /** Addresses that the server listens on, which clients on this machine may use as names. */
  readonly listensOn: readonly HostPort[];
  readonly isEncrypted: boolean;
};

/** The names of a server that other machines reach. */
export const publicSite = ({ publicOrigin, listensOn, isEncrypted }: PublicSite): SiteNames => ({
  origins: publicOrigin === undefined ? new Map() : publicNames(publicOrigin),
  localOrigins: withOrigins(
    isEncrypted ? 'https' : 'http',
    listensOn.flatMap((address) => [...loopbackNames(address.port), formatHostPort(address)]),
  ),
  otherName: 'The Host header does not name this server. It must be the host of --public-url',
});

/** Browsers leave the default port out of the Host header; other clients may send it. */
function publicNames(origin: string): ReadonlyMap<string, string> {
  const host = origin.slice(origin.indexOf('//') + 2);
  return new Map((/:\d+$/.test(host) ? [host] : [host, `${host}:443`]).map((name) => [name, origin]));
}

const loopbackNames = (port: number): readonly string[] => [
  `127.0.0.1:${port}`,
  `localhost:${port}`,
  `[::1]:${port}`,
];

const withOrigins = (scheme: string, names: readonly string[]): ReadonlyMap<string, string> =>
  new Map(names.map((name) => [name, `${scheme}://${name}`]));

const isOriginForm = (url: string | undefined): boolean =>
  url !== undefined && url.startsWith('/') && !url.includes('#');

/** A page may be opened by typing its address (`none`); the control API is only ever called by our own pages. */
const isOwnSite = (fetchSites: readonly string[], kind: RequestKind): boolean =>
  fetchSites.length === 1 &&
  (fetchSites[0] === 'same-origin' || (fetchSites[0] === 'none' && kind !== 'control'));

function browserHeaders(rawHeaders: readonly string[]): BrowserHeaders {
  const hosts: string[] = [];
  const origins: string[] = [];
  const fetchSites: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase();
    const value = rawHeaders[index + 1] ?? '';
    if (name === 'host') hosts.push(value);
    else if (name === 'origin') origins.push(value);
    else if (name === 'sec-fetch-site') fetchSites.push(value);
  }
  return { hosts, origins, fetchSites };
}
