// Decides which requests may reach the server. One pure function for every transport (requests, event streams, pages),
// called before any other code looks at a request. Any web page in any browser on this machine can reach a loopback
// port, but it cannot choose its Host, Origin and Sec-Fetch-Site headers.
// INVARIANT: it never throws, whatever the headers are.

/** `public`: /api/v1 and its description. `control`: the private door. `page`: the app's own files. */
export type RequestKind = 'public' | 'control' | 'page';

export type GuardedRequest = {
  /** Name, value, name, value … as they came: merged headers would hide a second Host. */
  readonly rawHeaders: readonly string[];
  /** The request target. */
  readonly url: string | undefined;
  readonly kind: RequestKind;
  /** `host:port` values by which a client may address us, lower case. */
  readonly allowedHosts: ReadonlySet<string>;
};

/** Why a request is refused, in words for the client. */
export type GuardRefusal =
  | 'The request target must be a path'
  | 'The Host header does not name this server. The setting "allowedHosts" allows further names'
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
  const host = hosts[0]?.toLowerCase();
  if (hosts.length !== 1 || host === undefined || !request.allowedHosts.has(host)) {
    return 'The Host header does not name this server. The setting "allowedHosts" allows further names';
  }
  if (fetchSites.length > 0 && !isOwnSite(fetchSites, request.kind))
    return 'Requests from other sites are refused';
  if (origins.length > 0 && !(origins.length === 1 && origins[0] === `http://${host}`)) {
    return 'Requests from other origins are refused';
  }
  return undefined;
}

/** The names by which clients on this machine may address the port, and those that the user added. */
export function ownHosts(port: number, added: readonly string[]): ReadonlySet<string> {
  return new Set([`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, ...added]);
}

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
