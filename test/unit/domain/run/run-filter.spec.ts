import { describe, expect, it } from 'vitest';
import { fitsFilter, type RunFilter } from '../../../../src-main/domain/run/run-filter.ts';
import { queuedRun } from '../../../builders/run-record.ts';

const run = queuedRun({
  workflowId: 'score-leads',
  acceptedAt: '2026-03-01T12:00:00.500Z',
  origin: { kind: 'key', keyId: 'k', keyName: 'Nightly import' },
  rerunOf: 'first',
  labels: { name: 'Before the prompt', note: 'Ask Grace', tags: ['baseline', 'q3'], isPinned: true },
});

describe('a filter of runs', () => {
  it.each<[RunFilter, boolean]>([
    [{}, true],
    [{ status: 'queued' }, true],
    [{ status: 'paused' }, false],
    [{ workflowId: 'score-leads' }, true],
    [{ workflowId: 'score' }, false],
    [{ since: '2026-03-01T12:00:00Z' }, true],
    [{ since: '2026-03-01T12:00:00.501Z' }, false],
    [{ until: '2026-03-01T12:00:01Z' }, true],
    [{ until: '2026-03-01T12:00:00.500Z' }, false],
    [{ since: '2026-03-01T13:00:00+01:00' }, true],
    [{ text: 'NIGHTLY' }, true],
    [{ text: 'leads' }, true],
    [{ text: 'weekly' }, false],
    [{ text: 'before THE' }, true],
    [{ text: 'grace' }, true],
    [{ text: 'baseLINE' }, true],
    [{ tag: 'baseline' }, true],
    [{ tag: 'base' }, false],
    [{ isPinned: true }, true],
    [{ isPinned: false }, false],
    [{ rerunOf: 'first' }, true],
    [{ rerunOf: 'second' }, false],
    [{ runIds: [run.runId] }, true],
    [{ runIds: [] }, false],
    [{ status: 'queued', workflowId: 'other' }, false],
  ])('%j fits: %s', (filter, fits) => {
    expect(fitsFilter(run, filter)).toBe(fits);
  });

  it('finds a text in the error of a failed run', () => {
    const counts = { rowsDone: 0, rowsFailed: 1 };
    const failed = {
      ...run,
      status: 'failed',
      finishedAt: run.acceptedAt,
      counts,
      error: 'HTTP 502',
    } as const;
    expect([fitsFilter(failed, { text: 'http 502' }), fitsFilter(run, { text: 'http 502' })]).toEqual([
      true,
      false,
    ]);
  });
});
