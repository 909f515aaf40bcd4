export type Moment = {
  readonly atMs: number;
  readonly queuedMs: number;
  readonly stolenMs: readonly number[];
};

/** The thread that reads this path. */
export const thisThread: string;
export function mainThreadOf(pid: number): string;

/** The time, and how long one of the threads has waited for a core up to now. */
export function momentOf(threads: readonly string[]): Moment;

/** Time between two moments without the waits for a core, in ms. */
export function awakeMsBetween(from: Moment, to: Moment): number;
