import { describe, expect, it } from 'vitest';
import { ControlError, sessionEnded, unreachable } from '../../../../src-renderer/api/control-error.ts';
import {
  isRunGone,
  rerunsOf,
  stalledText,
  waitsFor,
} from '../../../../src-renderer/state/run/run-messages.ts';
import { runView } from '../../../builders/run-view.ts';

describe('what a run waits for', () => {
  it('is given for a run that waits, by the runs before it', () => {
    const waiting = runView({ runId: 'r3', status: 'queued' });
    const others = [
      runView({ runId: 'r1', status: 'running' }),
      runView({ runId: 'r2', status: 'queued' }),
      waiting,
      runView({ runId: 'r4', status: 'queued' }),
    ];
    expect(waitsFor(waiting, others)).toBe('Waits in the queue: 1 at work, 1 waiting before it');
    expect(waitsFor(waiting, [waiting])).toBe('Waits in the queue');
  });

  it('is its own scenario where that holds it', () => {
    const queued = runView({ status: 'queued', scenario: 'queued-for=10s' });
    expect(waitsFor(queued, [queued])).toBe('Held in the queue by its scenario');
  });

  it('is the end of what is at work, while it is about to pause', () => {
    expect(waitsFor(runView({ status: 'pausing' }), [])).toContain('Waiting for running nodes');
  });

  it.each(['running', 'completed', 'failed', 'cancelled'] as const)('is nothing when it is %s', (status) => {
    expect(waitsFor(runView({ status }), [])).toBeUndefined();
  });
});

describe('a run that does not get on', () => {
  const running = runView({ status: 'running', waiting: { rows: 299, forRow: 1 } });

  it('says which row the others wait for, once that has lasted', () => {
    expect(stalledText(running, 3_000)).toBe(
      '299 rows have ended and wait for row 1: rows are kept in order',
    );
    expect(stalledText(running, 2_900)).toBeUndefined();
    const again = { ...running, rerunOf: 'r0', waiting: { rows: 1, forRow: 7 } };
    expect(stalledText(again, 5_000)).toBe(
      '1 row has ended and waits for a row before them: rows are kept in order',
    );
  });

  it('says for how long, where no row waits for another', () => {
    expect(stalledText(runView({ status: 'running' }), 9_000)).toBeUndefined();
    expect(stalledText(runView({ status: 'running' }), 12_000)).toBe('No row has ended for 12.0 s');
    expect(stalledText(runView({ status: 'completed' }), 12_000)).toBeUndefined();
  });
});

describe('the runs that repeat a run', () => {
  it('are those reported and those that came since, each once, newest first', () => {
    const live = [
      runView({ runId: 'r9', rerunOf: 'r1' }),
      runView({ runId: 'r5', rerunOf: 'r1' }),
      runView(),
    ];
    expect(rerunsOf('r1', ['r5', 'r3'], live)).toEqual(['r9', 'r5', 'r3']);
  });
});

describe('a run', () => {
  it('is gone where the server says that there is none', () => {
    expect(isRunGone(new ControlError('run_not_found', 'Workflow run not found'))).toBe(true);
  });

  it.each([undefined, unreachable(new Error('away')), sessionEnded(), new ControlError('internal', 'Oh')])(
    'is not called gone because of %s',
    (problem) => expect(isRunGone(problem)).toBe(false),
  );
});
