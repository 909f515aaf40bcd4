/**
 * Time as all code but `system-clock.ts` gets it: as a parameter, so that a test or a virtual clock can stop it
 * or skip it forward.
 */
export interface Clock {
  /** Wall time in milliseconds since 1970. May jump; use it only for time stamps that people read. */
  now(): number;
  /** Milliseconds that never go back. Use it for durations, limits and deadlines. */
  monotonic(): number;
  /** Calls `fire` once, `ms` from now, unless the returned function is called first. */
  setTimer(ms: number, fire: () => void): CancelTimer;
}

export type CancelTimer = () => void;

/** An ISO 8601 time stamp of the wall clock, as records and answers carry it. */
export const isoTime = (clock: Clock): string => new Date(clock.now()).toISOString();
