import { expect, it } from 'vitest';
import { MemoryWatch } from '../../../src-main/executor/process/memory-limit.ts';
import { FakeClock } from '../../builders/fake-clock.ts';

function newWatch() {
  const clock = new FakeClock();
  const state = { bytes: 0 as number | undefined, looks: 0, exceeded: 0 };
  const watch = new MemoryWatch({
    clock,
    maxBytes: 100,
    residentBytes: () => {
      state.looks += 1;
      return state.bytes;
    },
    onExceeded: () => (state.exceeded += 1),
  });
  return { clock, state, watch };
}

it('a busy worker is looked at every 50 ms, and found once above the limit', () => {
  const { clock, state, watch } = newWatch();
  watch.start();
  state.bytes = 100;
  clock.advance(149);
  expect(state).toMatchObject({ looks: 2, exceeded: 0 });
  state.bytes = 101;
  clock.advance(1);
  expect(state.exceeded).toBe(1);
  clock.advance(1000);
  expect(state).toMatchObject({ looks: 3, exceeded: 1 });
  expect(clock.pending).toBe(0);
});

it('a worker that is idle between short pieces of work is looked at all the same', () => {
  const { clock, state, watch } = newWatch();
  for (let batch = 0; batch < 28; batch += 1) {
    watch.start();
    clock.advance(9);
    watch.stop();
    clock.advance(2);
  }
  expect(state.looks).toBe(6);
});

it('an idle worker is not looked at, and its watch sets no timer', () => {
  const { clock, state, watch } = newWatch();
  watch.start();
  watch.stop();
  clock.advance(1000);
  expect(state.looks).toBe(0);
  expect(clock.pending).toBe(0);
});

it('a worker whose size the system does not tell goes on', () => {
  const { clock, state, watch } = newWatch();
  state.bytes = undefined;
  watch.start();
  clock.advance(1000);
  expect(state).toMatchObject({ looks: 20, exceeded: 0 });
  watch.close();
  expect(clock.pending).toBe(0);
});
