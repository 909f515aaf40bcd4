import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Clock } from '../../../../src-main/base/clock.ts';
import { silentLog } from '../../../../src-main/base/log.ts';
import { sleep } from '../../../../src-main/base/sleep.ts';
import { VirtualClock } from '../../../../src-main/base/virtual-clock.ts';
import { CallPostponed, RateLimits } from '../../../../src-main/executor/upstream/rate-limits.ts';

async function skipTimer(clock: VirtualClock): Promise<void> {
  clock.skip();
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

function start() {
  const clock = new VirtualClock(0);
  const limits = new RateLimits({ clock, log: silentLog });
  const started: string[] = [];
  const request = (name: string, options: { host?: string; ms?: number; pause?: AbortSignal } = {}) => {
    const { host = 'a.example', ms = 200, pause } = options;
    const aborter = new AbortController();
    const done = limits
      .acquire(host, ms, { signal: aborter.signal, pause })
      .then(() => void started.push(`${name} at ${clock.monotonic()}`));
    done.catch(() => undefined);
    return { done, abort: () => aborter.abort(new Error('cancelled')) };
  };
  /** Skips to the next timer, and lets what it starts begin. */
  const skip = (): Promise<void> => skipTimer(clock);
  return { started, request, skip, limits };
}

it('calls to a host begin one interval apart, in their order, and other hosts do not wait', async () => {
  const { started, request, skip } = start();
  const last = ['one', 'two', 'three'].map((name) => request(name).done).at(-1);
  await request('other', { host: 'b.example' }).done;
  expect(started).toEqual(['one at 0', 'other at 0']);
  await skip();
  await skip();
  await last;
  expect(started).toEqual(['one at 0', 'other at 0', 'two at 200', 'three at 400']);
});

it('the interval of a call counts after it, also for calls with another limit', async () => {
  const { started, request, skip } = start();
  const all = [request('slow', { ms: 1000 }).done, request('fast', { ms: 10 }).done, request('next').done];
  await all[0];
  await skip();
  await skip();
  await Promise.all(all);
  expect(started).toEqual(['slow at 0', 'fast at 1000', 'next at 1010']);
});

it('a call that comes after the interval begins at once', async () => {
  const { started, request, skip } = start();
  await request('one').done;
  await skip();
  await request('two').done;
  expect(started).toEqual(['one at 0', 'two at 200']);
});

it('a call that is cancelled takes no turn', async () => {
  const { started, request, skip } = start();
  await request('one').done;
  const two = request('two');
  const three = request('three');
  two.abort();
  await expect(two.done).rejects.toThrow('cancelled');
  await skip();
  await three.done;
  expect(started).toEqual(['one at 0', 'three at 200']);
});

it('a pause postpones the calls that wait, and those that come meanwhile', async () => {
  const { request } = start();
  const pause = new AbortController();
  await request('one').done;
  const two = request('two', { pause: pause.signal });
  pause.abort();
  await expect(two.done).rejects.toBeInstanceOf(CallPostponed);
  await expect(request('three', { pause: pause.signal }).done).rejects.toBeInstanceOf(CallPostponed);
});

/** Processes that reserve time of the same hosts. Answers and timers are as late as `delays` says, in turn. */
function startProcesses(count: number, delays: readonly number[]) {
  const clock = new VirtualClock(0);
  let taken = 0;
  const nextDelay = (): number => delays[(taken += 1) % delays.length]!;
  const late: Clock = {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    setTimer: (ms, fire) => clock.setTimer(ms + nextDelay(), fire),
  };
  let reservedUntil = 0;
  let isDown = false;
  const reservations = {
    reserve: async (_host: string, lengthMs: number): Promise<number> => {
      await sleep(clock, nextDelay());
      if (isDown) throw new Error('no database');
      const begin = Math.max(reservedUntil, clock.monotonic());
      reservedUntil = begin + lengthMs;
      const waitMs = begin - clock.monotonic();
      await sleep(clock, nextDelay());
      return waitMs;
    },
  };
  const deps = { clock: late, log: silentLog, reservations };
  const limits = Array.from({ length: count }, () => new RateLimits(deps));
  const started: { readonly at: number; readonly intervalMs: number }[] = [];
  const request = async (process: number, intervalMs: number): Promise<void> => {
    const { signal } = new AbortController();
    await limits[process % count]!.acquire('a.example', intervalMs, { signal });
    started.push({ at: clock.monotonic(), intervalMs });
  };
  return { clock, started, request, setDown: (value: boolean) => (isDown = value) };
}

it('processes that share a limit never start two calls within an interval, and start all of them', async () => {
  const delays = fc.array(fc.oneof(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 400 })), {
    minLength: 1,
    maxLength: 7,
  });
  const requests = fc.array(
    fc.record({
      process: fc.nat(2),
      intervalMs: fc.constantFrom(10, 50, 200, 3000),
      afterTimers: fc.nat(3),
    }),
    { minLength: 1, maxLength: 25 },
  );
  const property = fc.asyncProperty(delays, requests, async (delays, requests) => {
    const { clock, started, request } = startProcesses(3, delays);
    for (const { process, intervalMs, afterTimers } of requests) {
      void request(process, intervalMs);
      for (let n = 0; n < afterTimers; n += 1) await skipTimer(clock);
    }
    for (let n = 0; n < 2000 && started.length < requests.length; n += 1) await skipTimer(clock);
    expect(started.length).toBe(requests.length);
    for (const [n, { at, intervalMs }] of started.entries())
      expect((started[n + 1]?.at ?? Infinity) - at).toBeGreaterThan(intervalMs - 1e-6);
  });
  await fc.assert(property, { numRuns: 200 });
});

it('processes that share a limit use nearly all of it', async () => {
  const { clock, started, request } = startProcesses(2, [1]);
  for (let n = 0; n < 100; n += 1) void request(n, 200);
  while (started.length < 100) await skipTimer(clock);
  expect(clock.monotonic()).toBeLessThan(99 * 200 * 1.05);
});

it('calls wait while no time can be reserved, and start once it can', async () => {
  const { clock, started, request, setDown } = startProcesses(1, [0]);
  setDown(true);
  const done = request(0, 200);
  for (let n = 0; n < 6; n += 1) await skipTimer(clock);
  expect(started).toEqual([]);
  setDown(false);
  for (let n = 0; n < 6; n += 1) await skipTimer(clock);
  await done;
  expect(started).toHaveLength(1);
});
