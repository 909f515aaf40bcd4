import { v7 as uuid } from 'uuid';

/** Run ids that sort in the order in which they were made, whatever the wall clock does. */
export class RunIds {
  #lastMs: number;

  /** @param newest the newest id that is stored; a clock that was set back makes none before it */
  constructor(newest: string | undefined) {
    this.#lastMs = newest === undefined ? 0 : timeIn(newest);
  }

  /** @param now wall time in ms: what the id begins with, or the time of the id before it and one more */
  next(now: number): string {
    this.#lastMs = Math.min(longestTime, Math.max(now, this.#lastMs + 1));
    return uuid({ msecs: this.#lastMs });
  }
}

/** The first 48 bits of a UUID of version 7 are a time in ms. */
const longestTime = 2 ** 48 - 1;
const versionAt = 14;

const timeIn = (id: string): number =>
  id[versionAt] === '7' ? Number.parseInt(id.slice(0, 13).replace('-', ''), 16) : 0;
