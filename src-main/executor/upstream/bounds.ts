/** Limits on the time and memory of calls, whichever server they reach. */
export type Bounds = {
  /** Until a connection stands, in ms. */
  readonly connectMs: number;
  /** Until an answer begins, and until it has ended, for a call that names no limit of its own, in ms. */
  readonly headMs: number;
  readonly totalMs: number;
  /** The longest limit that a call may name, in ms. */
  readonly maxTotalMs: number;
  /** Redirects that a call follows; 0: a redirect is the answer. */
  readonly redirects: number;
  /** False: each request has a new connection, so that an idle one that the server closes breaks none. */
  readonly reusesConnections: boolean;
  readonly headBytes: number;
  /** Maximum bytes of a body, decoded. */
  readonly bodyBytes: number;
  /** Bytes of all bodies being read in this process before they have to wait for each other. */
  readonly bytesAtOnce: number;
  /** Share of `bytesAtOnce` that the bodies of one run may hold, in bytes. */
  readonly bytesOfOneRun: number;
  /** Time within which more of a body must arrive while other bodies wait for room, in ms. */
  readonly stallMs: number;
  /** The longest wait that `Retry-After` can ask for, in ms. */
  readonly retryAfterMs: number;
};

export const defaultBounds: Bounds = {
  connectMs: 10_000,
  headMs: 10_000,
  totalMs: 30_000,
  // A language model on a small machine may take long, but no user waits longer than this for one row.
  maxTotalMs: 3_600_000,
  redirects: 5,
  reusesConnections: true,
  headBytes: 65_536,
  bodyBytes: 10_000_000,
  // With one body above it, two copies of that one, and the buffers of 64 connections, this stays below 30 MB.
  bytesAtOnce: 4_000_000,
  // A run whose service stands still leaves enough for ordinary answers to others.
  bytesOfOneRun: 3_000_000,
  // Shorter than the usual limits of calls, longer than the pauses of a service on a busy machine.
  stallMs: 3_000,
  retryAfterMs: 60_000,
};
