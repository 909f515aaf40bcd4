import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { deferred } from '../../../src-main/base/deferred.ts';
import { Refresher } from '../../../src-renderer/state/refresher.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('a refresher sends the first request at once, then one per interval, and one after the last change', async () => {
  let requests = 0;
  const refresher = new Refresher(() => void (requests += 1), 1_000);
  refresher.refresh();
  await vi.advanceTimersByTimeAsync(0);
  expect(requests).toBe(1);
  for (let n = 0; n < 5; n += 1) refresher.refresh();
  await vi.advanceTimersByTimeAsync(999);
  expect(requests).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(requests).toBe(2);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(requests).toBe(2);
});

it('a refresher waits for the answer before it sends the next request', async () => {
  const answers = [deferred(), deferred()];
  let requests = 0;
  const refresher = new Refresher(() => answers[requests++]?.promise, 100);
  refresher.refresh();
  await vi.advanceTimersByTimeAsync(0);
  refresher.refresh();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(requests).toBe(1);
  answers[0]?.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(requests).toBe(2);
});

it('a closed refresher sends nothing more', async () => {
  let requests = 0;
  const refresher = new Refresher(() => void (requests += 1), 100);
  refresher.refresh();
  refresher.close();
  refresher.refresh();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(requests).toBe(0);
});
