import { expect, it } from 'vitest';
import { VirtualClock } from '../../../src-main/base/virtual-clock.ts';

const start = Date.UTC(2026, 0, 1);

function clockWith(...timers: readonly (readonly [ms: number, name: string])[]) {
  const clock = new VirtualClock(start);
  const fired: string[] = [];
  const cancels = timers.map(([ms, name]) => clock.setTimer(ms, () => fired.push(name)));
  return { clock, fired, cancels };
}

it('a virtual clock stands still until it skips', () => {
  const { clock, fired } = clockWith([0, 'now'], [5, 'later']);
  expect([clock.now(), clock.monotonic(), fired]).toEqual([start, 0, []]);
});

it('a virtual clock skips to the next timer and no further', () => {
  const { clock, fired } = clockWith([3_600_000, 'hour'], [1000, 'second']);
  clock.skip();
  expect([clock.now() - start, fired]).toEqual([1000, ['second']]);
  clock.skip();
  expect([clock.monotonic(), fired]).toEqual([3_600_000, ['second', 'hour']]);
});

it('timers that are due together fire in the order in which they were set', () => {
  const { clock, fired } = clockWith([7, 'a'], [7, 'b'], [8, 'c']);
  clock.skip();
  expect(fired).toEqual(['a', 'b']);
});

it('a virtual clock does not skip without timers, or for cancelled ones', () => {
  const { clock, fired, cancels } = clockWith([7, 'a']);
  cancels[0]?.();
  clock.skip();
  expect([clock.now(), fired]).toEqual([start, []]);
});

it('a timer that another one cancels at the same moment does not fire', () => {
  const clock = new VirtualClock(start);
  const fired: string[] = [];
  clock.setTimer(1, () => cancel());
  const cancel = clock.setTimer(1, () => fired.push('cancelled'));
  clock.skip();
  expect(fired).toEqual([]);
});

it('a timer that is set by a firing timer counts from that moment', () => {
  const clock = new VirtualClock(start);
  const fired: number[] = [];
  clock.setTimer(10, () => clock.setTimer(10, () => fired.push(clock.monotonic())));
  clock.skip();
  clock.skip();
  expect(fired).toEqual([20]);
});
