import type { Clock } from './clock.ts';

// Held here: as a global it is looked up through a getter each time, and some callers ask for every node of every row.
const { performance } = globalThis;

// setTimeout fires at once for anything longer; a wait of more than 24 days is waited for in parts.
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
