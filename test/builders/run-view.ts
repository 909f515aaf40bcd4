import type { RunView } from '../../src-main/contract/index.ts';

/** A run as pages see it, completed but for what is given. */
export const runView = (overrides: Partial<RunView> = {}): RunView => ({
  runId: 'r1',
  workflowId: 'flow',
  status: 'completed',
  origin: 'test',
  rows: 10,
  rowsDone: 10,
  rowsFailed: 0,
  acceptedAt: '2026-01-01T00:00:00.000Z',
  startedAt: '2026-01-01T00:00:00.000Z',
  finishedAt: '2026-01-01T00:00:01.000Z',
  ...overrides,
});
