import { describe, expect, it } from 'vitest';
import type { RunMove } from '../../../../src-main/domain/run/run-status.ts';
import { moveRun, runSchema, type Run } from '../../../../src-main/domain/run/run.ts';
import { queuedRun } from '../../../builders/run-record.ts';

const counts = { rowsDone: 2, rowsFailed: 1 };
const at = '2026-01-01T00:00:05.000Z';

describe('run record', () => {
  it('gets its real start when it first runs, and keeps it over a pause', () => {
    const running = moveRun(queuedRun(), 'start', { at, counts });
    expect(running).toMatchObject({ status: 'running', startedAt: at, finishedAt: null });
    const later = '2026-01-01T01:00:00.000Z';
    const paused = moveRun(moveRun(running, 'pause', { at, counts }), 'settle', { at, counts });
    const again = moveRun(moveRun(paused, 'resume', { at, counts }), 'start', { at: later, counts });
    expect(again.startedAt).toBe(at);
  });

  it('knows how long it has rested, from when a pause has settled until it works again or ends', () => {
    const time = (minute: number) => `2026-01-01T00:${String(minute).padStart(2, '0')}:00.000Z`;
    const move = (run: Run, name: RunMove, minute: number) =>
      moveRun(run, name, { at: time(minute), counts });
    const paused = move(move(move(queuedRun(), 'start', 1), 'pause', 2), 'settle', 3);
    expect(paused).toMatchObject({ pausedAt: time(3) });
    const queued = move(paused, 'resume', 5);
    expect(queued).toMatchObject({ pausedAt: time(3) });
    const again = move(queued, 'start', 6);
    expect(again).toMatchObject({ pausedMs: 3 * 60_000 });
    expect(again).not.toHaveProperty('pausedAt');
    const second = move(move(again, 'pause', 7), 'settle', 7);
    expect(move(second, 'cancel', 9)).toMatchObject({ pausedMs: 5 * 60_000, finishedAt: time(9) });
    expect(move(move(queuedRun(), 'pause', 1), 'cancel', 2)).not.toHaveProperty('pausedMs');
    expect(runSchema.parse(second)).toEqual(second);
  });

  it('carries an error only when it has failed', () => {
    const running = moveRun(queuedRun(), 'start', { at, counts });
    expect(moveRun(running, 'fail', { at, counts, error: 'Node "x" failed' })).toMatchObject({
      status: 'failed',
      error: 'Node "x" failed',
      finishedAt: at,
    });
    expect(moveRun(running, 'complete', { at, counts })).not.toHaveProperty('error');
    expect(moveRun(running, 'cancel', { at, counts })).not.toHaveProperty('error');
  });

  it('never finishes before it started, whatever the wall clock does', () => {
    const running = moveRun(queuedRun(), 'start', { at, counts });
    const done = moveRun(running, 'complete', { at: '2025-12-31T00:00:00.000Z', counts });
    expect(done.finishedAt).toBe(at);
  });

  it('never moves once it is final', () => {
    const done = moveRun(moveRun(queuedRun(), 'start', { at, counts }), 'complete', { at, counts });
    expect(() => moveRun(done, 'cancel', { at, counts })).toThrow('A completed run cannot be cancelled');
  });

  it('refuses a stored record that breaks the interface', () => {
    const { success: finishedWithoutTime } = runSchema.safeParse({
      ...queuedRun(),
      status: 'completed',
      counts,
    });
    const { success: failedWithoutError } = runSchema.safeParse({
      ...queuedRun(),
      status: 'failed',
      finishedAt: at,
      counts,
    });
    const { success: unfinishedWithTime } = runSchema.safeParse({ ...queuedRun(), finishedAt: at });
    expect([finishedWithoutTime, failedWithoutError, unfinishedWithTime]).toEqual([false, false, false]);
  });

  it('keeps unknown error fields out of an unfinished record', () => {
    expect(runSchema.parse({ ...queuedRun(), error: 'left over' })).not.toHaveProperty('error');
  });
});
