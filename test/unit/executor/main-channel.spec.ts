// A worker gives signs of life while it has rows or receives some. Otherwise it is silent: the watchdog watches only
// workers that have rows.
import { expect, it } from 'vitest';
import { MainChannel } from '../../../src-main/executor/worker/main-channel.ts';
import type { FromWorker } from '../../../src-main/executor/protocol.ts';
import { FakeClock } from '../../builders/fake-clock.ts';

function setUp() {
  const clock = new FakeClock();
  const sent: FromWorker[] = [];
  const channel = new MainChannel(clock, (message) => sent.push(message));
  const state = { isBusy: true };
  const come = (): void => channel.sendHeartbeatsWhile(() => state.isBusy);
  const after = (ms: number): number => {
    for (let passed = 0; passed < ms; passed += 10) clock.advance(10);
    return sent.length;
  };
  return { clock, sent, channel, state, come, after };
}

it('a worker sends about ten heartbeats a second for as long as it has rows', () => {
  const { come, after, sent } = setUp();
  come();
  expect(after(10_000)).toBeGreaterThanOrEqual(49);
  expect(new Set(sent.map(({ type }) => type))).toEqual(new Set(['alive']));
});

it('a worker without rows sends no heartbeats and has no timer', () => {
  const { come, after, state, clock, sent } = setUp();
  come();
  after(1000);
  state.isBusy = false;
  const sentBefore = sent.length;
  expect(after(10_000)).toBe(sentBefore);
  expect(clock.pending).toBe(0);
  state.isBusy = true;
  come();
  expect(after(1000)).toBeGreaterThan(sentBefore);
});

it('a worker sends heartbeats while rows arrive in pieces', () => {
  const { come, after, sent } = setUp();
  for (let piece = 0; piece < 100; piece += 1) {
    come();
    after(30);
  }
  expect(sent.length).toBeGreaterThanOrEqual(14);
});

it('a worker sends no heartbeat for rows that arrive after a pause and end at once', () => {
  const { come, after, state, channel, clock } = setUp();
  state.isBusy = false;
  after(5000);
  come();
  channel.sendHeartbeatIfDue(clock.monotonic() + 50);
  expect(after(1000)).toBe(0);
});
