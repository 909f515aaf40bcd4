import { expect, it } from 'vitest';
import { deferred, type Deferred } from '../../../src-main/base/deferred.ts';
import { Throttled } from '../../../src-main/base/throttled.ts';
import { FakeClock } from '../../builders/fake-clock.ts';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Acts once a second, each act until it is ended. */
function everySecond() {
  const clock = new FakeClock();
  const acts: Deferred[] = [];
  const act = (): Promise<void> => {
    const ended = deferred();
    acts.push(ended);
    return ended.promise;
  };
  return { clock, acts, throttled: new Throttled({ clock, everyMs: 1000, act }) };
}

it('a throttled act runs at once, then once for all requests within a second', async () => {
  const { clock, acts, throttled } = everySecond();
  throttled.request();
  await settled();
  expect(acts).toHaveLength(1);
  acts[0]?.resolve();
  for (let time = 0; time < 9; time += 1) {
    clock.advance(100);
    throttled.request();
  }
  await settled();
  expect(acts).toHaveLength(1);
  clock.advance(100);
  await settled();
  expect(acts).toHaveLength(2);
});

it('a slow throttled act collects only one request, and none begins after close', async () => {
  const { clock, acts, throttled } = everySecond();
  throttled.request();
  await settled();
  for (let time = 0; time < 60; time += 1) {
    clock.advance(1000);
    throttled.request();
  }
  acts[0]?.resolve();
  await settled();
  expect(acts).toHaveLength(2);
  clock.advance(1000);
  throttled.request();
  const closed = throttled.close();
  throttled.request();
  acts[1]?.resolve();
  await closed;
  clock.advance(10_000);
  await settled();
  expect(acts).toHaveLength(2);
});
