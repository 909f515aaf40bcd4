// Random numbers and time as authors see them. They follow from the run's seed, so that a rerun has the same results
// with any order of rows, number of workers and date.
import { chanceOf, mix } from '../../base/mix.ts';
import { maxAttempts } from '../../domain/nodes/max-attempts.ts';
import type { RunSeed } from '../plan.ts';

/**
 * The key of one attempt, as numbers. `within` is 0, or in a called workflow a number for the attempt that called it.
 */
export type AttemptKey = {
  row: number;
  nodeIndex: number;
  itemIndex: number;
  attempt: number;
  /** Number of the call of a node with `repeat`, from 1; 0 for any other node. */
  round: number;
  readonly within: number;
};

/**
 * Math with a `random` that starts anew for each attempt. Call `startAttempt` before author code runs.
 * @param seed read at each attempt's first random number
 */
export function seededMath(seed: Pick<RunSeed, 'random'>): {
  math: object;
  random: () => number;
  startAttempt: (attempt: Readonly<AttemptKey>) => void;
} {
  let current: Readonly<AttemptKey> = { row: 0, nodeIndex: 0, itemIndex: 0, attempt: 0, round: 0, within: 0 };
  let state: number | undefined;
  const random = (): number => {
    // The key is mixed in at the first use, since most code never needs random numbers.
    state ??= mix(
      mix(mix(mix(seed.random ^ current.within, current.row), current.nodeIndex), current.itemIndex),
      current.attempt + (current.round > 1 ? current.round * (maxAttempts + 1) : 0),
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
  return { math: harden(math), random, startAttempt };
}

/**
 * A Date whose current time is always the seed's time. Instances are ordinary dates.
 * @param seed read at each use of the current time
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
