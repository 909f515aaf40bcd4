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

/** A connection on which nothing at all has moved for this long is closed. */
export const socketTimeoutMs = 65_000;
export const maxConnections = 256;
/** Of those, at most so many that ask nothing; the rest is a reserve for clients that do. */
export const maxIdleConnections = 192;
export const maxRequestsPerSocket = 1_000;
/** Requests that a client may send before the answer to one is there, beside those that are read with it. */
export const maxWaitingPerSocket = 16;
/** How long a closing server lets answers under way come to their end: with what follows it ends within five seconds. */
export const drainMs = 4_000;
