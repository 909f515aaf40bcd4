import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LatestOnly } from '../../../src-renderer/state/latest-only.ts';

it('a newer request makes the older one outdated', () => {
  const latest = new LatestOnly();
  const older = latest.start();
  const newer = latest.start();
  expect([older.aborted, newer.aborted]).toEqual([true, false]);
});

it('a cancelled request is outdated', () => {
  const latest = new LatestOnly();
  const signal = latest.start();
  latest.cancel();
  expect(signal.aborted).toBe(true);
});

describe('a call after a pause', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is made once for several plans', () => {
    const latest = new LatestOnly();
    const called: string[] = [];
    latest.startLater(10, () => called.push('first'));
    vi.advanceTimersByTime(9);
    latest.startLater(10, () => called.push('second'));
    vi.advanceTimersByTime(10);
    expect(called).toEqual(['second']);
  });

  it.each(['start', 'cancel'] as const)('is not made after %s', (end) => {
    const latest = new LatestOnly();
    const called: string[] = [];
    latest.startLater(10, () => called.push('late'));
    latest[end]();
    vi.advanceTimersByTime(10);
    expect(called).toEqual([]);
  });
});
