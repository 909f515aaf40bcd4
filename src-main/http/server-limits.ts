// How much one connection may cost. Chosen for a local server: small enough that a page or a broken script cannot
// starve other clients, large enough that no honest one notices.

/** Header lines of a request; a browser sends about 20. */
export const maxHeaders = 100;

/** Options of `http.createServer`, in milliseconds and bytes. */
export const serverOptions = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  /** None: a large body may take long. A body that pauses is refused where it is read. */
  requestTimeout: 0,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  /** The guard judges the Host header, and answers with a body. */
  requireHostHeader: false,
} as const;

/**
 * In place of `keepAliveTimeout` behind proxies: longer than they keep idle connections, most of them for a minute. Else a
 * proxy would send a request on a connection that is being closed.
 */
export const proxyKeepAliveMs = 64_000;
/** A connection on which nothing at all has moved for this long is closed. */
export const socketTimeoutMs = 65_000;
/** Maximum connections that are served at once, on each address: those on which a request has arrived. */
export const maxServedConnections = 256;
/** With more, each answer closes its connection, so that idle connections always leave places to new clients. */
export const maxKeepAliveConnections = 192;
/**
 * Maximum open connections on each address: beside those that are served, as many that have sent no request yet or are
 * being refused. The system closes further ones.
 */
export const maxOpenConnections = 512;
/**
 * With more open connections, the oldest is ended that has sent no request for `silentConnectionMs`: 64 remain for new
 * clients.
 */
export const crowdedConnections = 448;
/** In milliseconds; every client but one that is slow on purpose has sent its request by then. */
export const silentConnectionMs = 1_000;
export const maxRequestsPerSocket = 1_000;
/** Requests that a client may send before the answer to one is there, beside those that are read with it. */
export const maxWaitingPerSocket = 16;
/** How long a closing server lets answers under way come to their end: with what follows it ends within five seconds. */
export const drainMs = 4_000;

// Headers that every answer carries. There are no CORS headers and no cookies anywhere: a key or a token in a header is
// the only way in, and keys are not for code in a browser.

/** Against sniffing, embedding, leaking addresses and caching. Answers of the APIs are never a document to show. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
};
