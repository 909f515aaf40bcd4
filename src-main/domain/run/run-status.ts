// The life of a run as one table. `moveRun` in run.ts moves a run along it; nothing else assigns a status.

/** The interface's seven words. */
export const runStatuses = [
  'queued',
  'running',
  'completed',
  'failed',
  'cancelled',
  'pausing',
  'paused',
] as const;
export type RunStatus = (typeof runStatuses)[number];

/**
 * The changes of a run's status. `settle`: the last in-flight node attempt of a pausing run has ended.
 * `resume` takes a paused run back to the queue, and a pausing one straight back to running.
 */
export const runMoves = ['start', 'pause', 'settle', 'resume', 'complete', 'fail', 'cancel'] as const;
export type RunMove = (typeof runMoves)[number];

const table: Record<RunStatus, Partial<Record<RunMove, RunStatus>>> = {
  queued: { start: 'running', pause: 'paused', cancel: 'cancelled' },
  running: { pause: 'pausing', complete: 'completed', fail: 'failed', cancel: 'cancelled' },
  pausing: {
    settle: 'paused',
    resume: 'running',
    complete: 'completed',
    fail: 'failed',
    cancel: 'cancelled',
  },
  paused: { resume: 'queued', cancel: 'cancelled' },
  completed: {},
  failed: {},
  cancelled: {},
};

/** The status after a move; undefined where the table has no such move. */
export const statusAfter = (from: RunStatus, move: RunMove): RunStatus | undefined => table[from][move];

export const canMove = (from: RunStatus, move: RunMove): boolean => statusAfter(from, move) !== undefined;

/** Completed, failed and cancelled never change; a rerun is a new run. */
export const isFinal = (status: RunStatus): boolean => Object.keys(table[status]).length === 0;
