import { describe, expect, it } from 'vitest';
import { sessionEnded, unreachable } from '../../../../src-renderer/api/control-error.ts';
import type { EventReading } from '../../../../src-renderer/api/event-stream.ts';
import {
  LiveConnection,
  retryMs,
  silenceMs,
  type ConnectionState,
} from '../../../../src-renderer/state/live/live-connection.ts';
import { deferred, type Deferred } from '../../../../src-main/base/deferred.ts';
import type { LiveMessage } from '../../../../src-main/contract/index.ts';
import { FakeClock } from '../../../builders/fake-clock.ts';

const message: LiveMessage = { type: 'changes', sequence: 1, changes: [] };
const settle = () => new Promise((resolve) => setImmediate(resolve));

function setUp() {
  const clock = new FakeClock();
  const readings: (EventReading & Deferred)[] = [];
  const states: ConnectionState[] = [];
  const heard: LiveMessage[] = [];
  const connection = new LiveConnection({
    watch: (reading) => {
      const end = deferred();
      reading.signal.addEventListener('abort', () => end.resolve());
      readings.push({ ...reading, ...end });
      return end.promise;
    },
    timers: clock,
    onMessage: (each) => heard.push(each),
    onState: (state) => states.push(state),
  });
  const last = () => readings.at(-1)!;
  const lastState = () => states.at(-1);
  return { clock, connection, readings, last, states, lastState, heard };
}

describe('the live connection', () => {
  it('is live with the first message', () => {
    const { connection, last, states, heard } = setUp();
    connection.connect();
    last().onMessage(message, 'a-1');
    expect(states.map(({ kind }) => kind)).toEqual(['connecting', 'live']);
    expect(heard).toEqual([message]);
  });

  it('comes back with its last position when the stream ends', async () => {
    const { connection, last, lastState, clock, readings } = setUp();
    connection.connect();
    last().onMessage(message, 'a-1');
    last().resolve();
    await settle();
    expect(lastState()).toMatchObject({ kind: 'lost', retryInMs: retryMs[0] });
    clock.advance(retryMs[0]);
    expect(readings).toHaveLength(2);
    expect(last().after).toBe('a-1');
  });

  it('waits longer each time that it finds nobody, and from the start again once it was live', async () => {
    const { connection, last, lastState, clock } = setUp();
    connection.connect();
    for (const wait of [...retryMs, retryMs.at(-1) ?? 0]) {
      last().reject(unreachable(undefined));
      await settle();
      expect(lastState()).toMatchObject({ kind: 'lost', retryInMs: wait });
      clock.advance(wait);
    }
    last().onMessage(message, 'a-1');
    last().resolve();
    await settle();
    expect(lastState()).toMatchObject({ kind: 'lost', retryInMs: retryMs[0] });
  });

  it('gives up a connection on which nothing is heard, not even that all is quiet', async () => {
    const { connection, last, lastState, clock } = setUp();
    connection.connect();
    clock.advance(silenceMs - 1);
    last().onAlive();
    clock.advance(silenceMs - 1);
    expect(last().signal.aborted).toBe(false);
    clock.advance(1);
    await settle();
    expect(lastState()?.kind).toBe('lost');
  });

  it('ends for good when its token is not taken any more', async () => {
    const { connection, last, lastState, clock, readings } = setUp();
    connection.connect();
    last().reject(sessionEnded());
    await settle();
    expect(lastState()).toEqual({ kind: 'ended' });
    connection.connect();
    clock.advance(60_000);
    expect([readings.length, clock.pending]).toEqual([1, 0]);
  });

  it('rests without a connection, hears nothing of the old one, and goes on from its position', async () => {
    const { connection, readings, last, lastState, heard, clock } = setUp();
    connection.connect();
    last().onMessage(message, 'a-1');
    connection.suspend();
    await settle();
    readings[0]?.onMessage(message, 'a-2');
    expect([lastState()?.kind, heard.length, clock.pending]).toEqual(['suspended', 1, 0]);
    connection.connect();
    expect(last().after).toBe('a-1');
  });

  it('tries at once when it is asked to', async () => {
    const { connection, last, readings, clock } = setUp();
    connection.connect();
    last().reject(unreachable(undefined));
    await settle();
    connection.connect();
    connection.connect();
    clock.advance(retryMs[0]);
    expect(readings).toHaveLength(2);
  });
});
