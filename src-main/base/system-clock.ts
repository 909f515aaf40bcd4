import type { Clock } from './clock.ts';

// Kept in a constant: the global is a getter, and workers read the clock for every node of every row.
const { performance } = globalThis;

// setTimeout fires at once for anything longer, so a wait of more than 24 days is split.
const longestTimer = 2 ** 31 - 1;

/** The machine's own time. The only place that reads it. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer(ms, fire) {
    let timer: ReturnType<typeof setTimeout>;
    const arm = (left: number): void => {
      timer = setTimeout(
        () => (left > longestTimer ? arm(left - longestTimer) : fire()),
        Math.min(left, longestTimer),
      );
    };
    arm(Math.max(0, ms));
    return () => clearTimeout(timer);
  },
};
