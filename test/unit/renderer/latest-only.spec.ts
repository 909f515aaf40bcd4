import { expect, it } from 'vitest';
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
