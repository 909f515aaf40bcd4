import type { Run } from '../../src-main/domain/run/run.ts';

type QueuedRun = Extract<Run, { finishedAt: null }>;

/** A queued run's record; give only what matters to the test. */
export const queuedRun = (overrides: Partial<QueuedRun> = {}): QueuedRun => ({
  version: 1,
  runId: '0197c0de-0000-7000-8000-00000000000a',
  workflowId: 'score-leads',
  workflowHash: 'a'.repeat(64),
  origin: { kind: 'cli' },
  rows: 3,
  acceptedAt: '2026-01-01T00:00:00.000Z',
  startedAt: '2026-01-01T00:00:00.000Z',
  seed: { random: 1, time: 0 },
  fruitlessRecoveries: 0,
  rowsAtRecovery: 0,
  status: 'queued',
  finishedAt: null,
  ...overrides,
});
