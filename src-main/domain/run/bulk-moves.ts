// One verb for many runs: what comes of it for each of them.
import type { RunStatus } from './run-status.ts';

export const bulkVerbs = ['pause', 'resume', 'cancel', 'rerun'] as const;
export type BulkVerb = (typeof bulkVerbs)[number];

export type BulkResult = {
  readonly runId: string;
  /** `left`: it no longer fits the filter. `refused`: see the reason. */
  readonly outcome: 'moved' | 'left' | 'refused';
  /** After the call; absent when there is no such run. */
  readonly status?: RunStatus;
  readonly reason?: string;
  /** The run that repeats it. */
  readonly newRunId?: string;
};

/** The result of a bulk call for each run. */
export type BulkView = {
  readonly results: readonly BulkResult[];
  /** Runs that fit and were beyond the limit. */
  readonly remaining: number;
};
