import { expect, it } from 'vitest';
import { VirtualClock } from '../../../../src-main/base/virtual-clock.ts';
import { CallPostponed, RateLimits } from '../../../../src-main/executor/upstream/rate-limits.ts';

function start() {
  const clock = new VirtualClock(0);
  const limits = new RateLimits(clock);
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
  const skip = async (): Promise<void> => {
    clock.skip();
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  };
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
