import { expect } from 'vitest';
import type { FakeClock } from './fake-clock.ts';

/** Waits for a run's start, which is stored with its first results, or after 100 ms of its clock. */
export function untilRunning(clock: FakeClock, status: () => Promise<unknown>): Promise<void> {
  const look = async (): Promise<unknown> => {
    const found = await status();
    if (found === 'queued') clock.advance(100);
    return found;
  };
  return expect.poll(look, { timeout: 20_000 }).toBe('running');
}
