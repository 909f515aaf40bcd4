import type { RunView } from '#contract';
import { expect, it } from 'vitest';
import { runTitle } from '../../../../src-renderer/state/run/run-title.ts';
import { runView } from '../../../builders/run-view.ts';

const runId = '019a0c3e-1b2f-7500-8500-4d500cb65fca';

it.each<[Partial<RunView>, string]>([
  [{ status: 'running', rowsDone: 6, rowsFailed: 0 }, '60 %'],
  [{ status: 'running', rowsDone: 6, rowsFailed: 3 }, '90 %'],
  [{ status: 'running', rowsDone: 2, unsaved: { rowsDone: 3, rowsFailed: 1 } }, '60 %'],
  [{ status: 'running', rows: 1_000, rowsDone: 999 }, '99 %'],
  [{ status: 'queued', rowsDone: 0 }, 'Queued'],
  [{ status: 'pausing', rowsDone: 2 }, 'Pausing at 20 %'],
  [{ status: 'paused', rowsDone: 2 }, 'Paused at 20 %'],
  [{ status: 'cancelled', rowsDone: 2 }, 'Cancelled'],
  [{ status: 'completed' }, '✓ Completed'],
  [{ status: 'completed', rows: 0, rowsDone: 0 }, '✓ Completed'],
  [{ status: 'completed', rows: 5_000, rowsDone: 3_919, rowsFailed: 1_081 }, '✗ 1,081 failed'],
  [{ status: 'completed', rowsDone: 0, rowsFailed: 10 }, '✗ All rows failed'],
  [{ status: 'failed', rowsDone: 2, rowsFailed: 1 }, '✗ Failed'],
  [{ labels: { name: 'Before the new prompt', tags: ['a'] } }, '✓ Completed · Before the new prompt'],
])('the title of a run that is %j begins with %s', (run, lead) => {
  expect(runTitle(runView({ runId, ...run }), 'Score leads')).toBe(`${lead} · Score leads …0cb65fca`);
});
