import { describe, expect, it } from 'vitest';
import { runTimes, timesText, workedText } from '../../../../src-renderer/state/run/run-times.ts';
import { runView } from '../../../builders/run-view.ts';

const startedAt = '2026-01-01T00:00:00.000Z';
const startMs = Date.parse(startedAt);
const at = (seconds: number): string => new Date(startMs + seconds * 1_000).toISOString();
const going = { startedAt, finishedAt: null } as const;

describe('how long a run took', () => {
  it('leaves out the pauses that are over and the one that lasts', () => {
    const ended = runView({ startedAt, finishedAt: at(100), pausedMs: 60_000 });
    expect(runTimes(ended, 0)).toEqual({ workedMs: 40_000, pausedMs: 60_000 });
    expect(timesText(ended, 0)).toBe('Duration 40.0 s (paused 1 m 00 s)');
    const paused = runView({ ...going, status: 'paused', pausedMs: 10_000, pausedAt: at(30) });
    expect(runTimes(paused, startMs + 90_000)).toEqual({ workedMs: 20_000, pausedMs: 70_000 });
    expect(timesText(paused, startMs + 90_000)).toBe('ran 20.0 s (paused 1 m 10 s)');
    const queuedAgain = runView({ ...going, status: 'queued', pausedAt: at(30) });
    expect(timesText(queuedAgain, startMs + 31_500)).toBe('ran 30.0 s (paused 1.5 s)');
  });

  it('is shown for a run that goes on, once it is known', () => {
    const running = runView({ ...going, status: 'running' });
    expect(timesText(running, startMs + 12_000)).toBe('running 12.0 s');
    expect(timesText(running, startMs + 400)).toBe('');
    expect(timesText(running, startMs - 5_000)).toBe('');
    expect(workedText(runView({ finishedAt: at(0), startedAt }), 0)).toBe('0 ms');
  });

  it('is nothing of one that has not started', () => {
    expect(timesText(runView({ ...going, status: 'queued' }), startMs + 5_000)).toBe('');
    expect(timesText(runView({ ...going, status: 'paused' }), startMs + 5_000)).toBe('');
  });
});
