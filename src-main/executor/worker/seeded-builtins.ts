// Chance and time as authors see them: given by the run's seed, so that a rerun gives the same answers whatever
// the order of rows, the number of workers or the day.
import { chanceOf, mix } from '../../base/mix.ts';
import type { RunSeed } from '../plan.ts';

/**
 * Where author code is at work. All numbers; together they name one attempt. `within` is 0, and for a workflow that
 * was called a number for the attempt that called it.
 */
export type AttemptKey = {
  row: number;
  nodeIndex: number;
  itemIndex: number;
  attempt: number;
  readonly within: number;
};

/**
 * Math with a `random` that starts anew at each place. `moveTo` must be called before author code runs.
 * @param seed looked at whenever chance is asked for
 */
export function seededMath(seed: Pick<RunSeed, 'random'>): {
  math: object;
  startAttempt: (attempt: Readonly<AttemptKey>) => void;
} {
  let current: Readonly<AttemptKey> = { row: 0, nodeIndex: 0, itemIndex: 0, attempt: 0, within: 0 };
  let state: number | undefined;
  const random = (): number => {
    // The place is mixed in on first use: most code never asks.
    state ??= mix(
      mix(mix(mix(seed.random ^ current.within, current.row), current.nodeIndex), current.itemIndex),
      current.attempt,
    );
    state = (state + 0x6d2b79f5) >>> 0;
    return mix(state, 0) / 2 ** 32;
  };
  const math = Object.create(Object.prototype, {
    ...Object.getOwnPropertyDescriptors(Math),
    random: { value: random, enumerable: false, configurable: true, writable: true },
  }) as object;
  const startAttempt = (attempt: Readonly<AttemptKey>): void => {
    current = attempt;
    state = undefined;
  };
  return { math: harden(math), startAttempt };
}

/**
 * A Date for which now is always the seed's time. Instances are ordinary dates.
 * @param seed looked at whenever the time is asked for
 */
export function seededDate(seed: Pick<RunSeed, 'time'>): object {
  const now = (): number => seed.time;
  const SeededDate = function Date(...parts: readonly unknown[]): unknown {
    if (new.target === undefined) return new HostDate(seed.time).toString();
    return Reflect.construct(HostDate, parts.length === 0 ? [seed.time] : parts, new.target);
  };
  Object.defineProperties(SeededDate, {
    prototype: { value: HostDate.prototype },
    now: { value: now },
    parse: { value: HostDate.parse },
    UTC: { value: HostDate.UTC },
  });
  return harden(SeededDate);
}

const HostDate = Date;

/** A number in [0, 1) for one attempt; the same for the same seed. */
export const seededChance = (
  seed: number,
  { row, nodeIndex, itemIndex, attempt, within }: Readonly<AttemptKey>,
): number => chanceOf((seed ^ within) >>> 0, row, nodeIndex, itemIndex, attempt, 1);
