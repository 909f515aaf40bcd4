import { describe, expect, it } from 'vitest';
import {
  recordProgress,
  quietMs,
  rateAt,
  timeLeft,
  noProgress,
  type TimeLeft,
} from '../../../../src-renderer/state/run/run-throughput.ts';
import { runView } from '../../../builders/run-view.ts';

const at = (rowsDone: number, status: 'running' | 'paused' = 'running') =>
  runView({ status, rows: 1_000, rowsDone, finishedAt: null });

/** Looks at a run, `[ms, rows done]` each. */
const seen = (...looks: readonly (readonly [ms: number, rowsDone: number])[]) =>
  looks.reduce((progress, [ms, rowsDone]) => recordProgress(progress, at(rowsDone), ms), noProgress);

describe('the progress of a run', () => {
  it('is not shown before it is known', () => {
    expect(rateAt(noProgress, 0)).toBeUndefined();
    expect(rateAt(seen([0, 500]), 60_000)).toBeUndefined();
    expect(rateAt(seen([0, 0], [1_000, 300]), 1_000)).toBeUndefined();
    expect(rateAt(seen([0, 0], [1_000, 0]), 9_000)).toBeUndefined();
  });

  it('is what was done while the page looked, not before', () => {
    expect(rateAt(seen([0, 900], [2_000, 920]), 2_000)).toBe(10);
  });

  it('looks back ten seconds, so that it follows a run that gets slower', () => {
    const progress = seen([0, 0], [10_000, 1_000], [20_000, 1_100], [30_000, 1_200]);
    expect(rateAt(progress, 30_000)).toBe(10);
  });

  it('knows since when no further row has ended', () => {
    expect(quietMs(seen([0, 5], [1_000, 9], [4_000, 9], [9_000, 9]), 12_000)).toBe(11_000);
    expect(quietMs(noProgress, 12_000)).toBe(0);
    expect(quietMs(recordProgress(seen([0, 5]), at(5, 'paused'), 1_000), 12_000)).toBe(0);
  });

  it('looks back further where few rows end', () => {
    const progress = seen([0, 0], [60_000, 1], [120_000, 2]);
    expect(rateAt(progress, 120_000)).toBeCloseTo(1 / 60);
    expect(timeLeft(undefined, { run: at(2), rate: 1 / 60 }, 0)?.ms).toBeCloseTo(998 * 60_000);
  });

  it('falls while nothing ends', () => {
    const progress = seen([0, 0], [2_000, 10]);
    expect(rateAt(progress, 2_000)).toBe(5);
    expect(rateAt(progress, 10_000)).toBe(1);
  });

  it('begins anew after a pause', () => {
    const paused = recordProgress(seen([0, 0], [5_000, 50]), at(50, 'paused'), 6_000);
    expect(rateAt(paused, 60_000)).toBeUndefined();
    const resumed = recordProgress(recordProgress(paused, at(50), 60_000), at(70), 62_000);
    expect(rateAt(resumed, 62_000)).toBe(10);
  });

  it('keeps few looks of a long run that changes ten times a second', () => {
    let progress = noProgress;
    for (let n = 0; n < 6_000; n += 1) progress = recordProgress(progress, at(n), n * 100);
    expect(progress.samples.length).toBeLessThan(350);
    expect(rateAt(progress, 599_900)).toBeCloseTo(10, 0);
  });
});

/** Looks at a run as a page does, eight times a second. `finishedAt` gives the rows that have ended at a time. */
function shownTimes(rows: number, finishedAt: (ms: number) => number, untilMs: number) {
  const shown: { readonly atMs: number; readonly leftMs: number }[] = [];
  let progress = noProgress;
  let left: TimeLeft | undefined;
  for (let ms = 0; ms <= untilMs; ms += 125) {
    const run = runView({
      status: 'running',
      rows,
      rowsDone: Math.min(rows, finishedAt(ms)),
      finishedAt: null,
    });
    progress = recordProgress(progress, run, ms);
    left = timeLeft(left, { run, rate: rateAt(progress, ms) }, ms);
    if (left !== undefined) shown.push({ atMs: ms, leftMs: left.ms });
  }
  return shown;
}

describe('the time left', () => {
  /** Rows that run at the same time end together, as those of the example "slow-rows". */
  const steps = (rowsAtOnce: number, rowMs: number) => (ms: number) => Math.floor(ms / rowMs) * rowsAtOnce;

  it.each([
    [60, 4, 600],
    [400, 4, 600],
    [400, 16, 5_000],
    [1_000, 1, 130],
    [100_000, 256, 80],
  ])(
    'never rises by more than 10 % in a steady run of %i rows, %i at once, %i ms each',
    (rows, atOnce, ms) => {
      const endMs = Math.ceil(rows / atOnce) * ms;
      const shown = shownTimes(rows, steps(atOnce, ms), endMs - 1);
      expect(shown.length).toBeGreaterThan(20);
      shown.slice(1).forEach(({ leftMs }, index) => {
        expect(leftMs).toBeLessThanOrEqual((shown[index]?.leftMs ?? 0) * 1.1);
      });
      // Not far off at half time.
      const half = shown.find(({ atMs }) => atMs >= endMs / 2);
      expect(Math.abs((half?.leftMs ?? 0) - endMs / 2)).toBeLessThan(endMs / 5);
    },
  );

  it('follows a run that becomes slower, without a jump', () => {
    const shown = shownTimes(
      1_000,
      (ms) => Math.floor(ms < 20_000 ? ms / 50 : 400 + (ms - 20_000) / 200),
      60_000,
    );
    shown.slice(1).forEach(({ leftMs }, index) => {
      expect(leftMs).toBeLessThanOrEqual((shown[index]?.leftMs ?? 0) * 1.05);
    });
    const trueMs = (1_000 - 600) * 200;
    expect(shown.at(-1)?.leftMs).toBeGreaterThan(trueMs * 0.7);
  });
});
