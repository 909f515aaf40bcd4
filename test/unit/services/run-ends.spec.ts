// A client that asks for a run which has just been accepted is told its end, if that comes within a moment.
import { expect, it } from 'vitest';
import { Emitter } from '../../../src-main/base/emitter.ts';
import { moveRun, type Run } from '../../../src-main/domain/run/run.ts';
import { RunEnds } from '../../../src-main/services/run-ends.ts';
import type { RunFact } from '../../../src-main/services/run-service.ts';
import { FakeClock } from '../../builders/fake-clock.ts';
import { queuedRun } from '../../builders/run-record.ts';

const began = Date.UTC(2026, 0, 1);
const counts = { rowsDone: 1, rowsFailed: 0 };

function setUp(facts: Parameters<typeof queuedRun>[0] = {}) {
  const clock = new FakeClock(began);
  const emitter = new Emitter<RunFact>((error) => {
    throw error;
  });
  const ends = new RunEnds({ facts: emitter, clock });
  const queued = queuedRun({ acceptedAt: new Date(began).toISOString(), ...facts });
  const moved = (run: Run, move: Parameters<typeof moveRun>[1]): Run => {
    const next = moveRun(run, move, { at: new Date(clock.now()).toISOString(), counts });
    emitter.emit({ run: next, counts });
    return next;
  };
  return { clock, ends, queued, moved };
}

it.each(['complete', 'fail', 'cancel', 'pause'] as const)(
  'gives a young run once it has come to its %s, and not before',
  async (move) => {
    const { clock, ends, queued, moved } = setUp();
    const asked = [ends.soon(queued), ends.soon(queued)];
    const running = moved(queued, 'start');
    asked.push(ends.soon(running));
    clock.advance(99);
    const isOver = await Promise.race([asked[0], Promise.resolve('not yet')]);
    expect(isOver).toBe('not yet');
    const rested = moved(running, move);
    expect(await Promise.all(asked)).toEqual([rested, rested, rested]);
    expect(clock.pending).toBe(0);
    expect(await ends.soon(rested)).toBe(rested);
  },
);

it('gives a run that is no longer young as it is by then', async () => {
  const { clock, ends, queued, moved } = setUp();
  clock.advance(20);
  const asked = ends.soon(queued);
  const running = moved(queued, 'start');
  clock.advance(79);
  expect(await Promise.race([asked, Promise.resolve('not yet')])).toBe('not yet');
  clock.advance(1);
  expect(await asked).toBe(running);
  expect(await ends.soon(running)).toBe(running);
  expect(clock.pending).toBe(0);
});

it.each([
  ['has a scenario, which is there to be seen', { scenario: { 'queued-for': 10_000 } }],
  ['is older', { acceptedAt: '2025-12-31T23:59:59.900Z' }],
  ['is of a time to come, since the clock was set', { acceptedAt: '2026-01-01T00:00:00.001Z' }],
])('gives a run at once that %s', async (_, facts) => {
  const { clock, ends, queued } = setUp(facts);
  expect(await ends.soon(queued)).toBe(queued);
  expect(clock.pending).toBe(0);
});
