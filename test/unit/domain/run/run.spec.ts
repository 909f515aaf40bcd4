import { describe, expect, it } from 'vitest';
import { moveRun, runSchema } from '../../../../src-main/domain/run/run.ts';
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
