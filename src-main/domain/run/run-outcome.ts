// The words that tell a user how a run goes or went. The API's status alone does not say whether rows failed.
import { count } from '../format.ts';
import type { RunStatus } from './run-status.ts';

type OutcomeInput = {
  readonly status: RunStatus;
  readonly rowsDone: number;
  readonly rowsFailed: number;
};

type RunOutcome = {
  /** A completed run is one of three kinds, by the number of its rows that failed. */
  readonly kind: RunStatus | 'with-failures' | 'all-failed';
  readonly word: string;
  /** `81 failed`; absent if no row failed or if the word says it. */
  readonly failures?: string;
};

/** `Completed`; `Completed` and `81 failed`; `All rows failed`; `Running` and `3 failed`. */
export function runOutcome({ status, rowsDone, rowsFailed }: OutcomeInput): RunOutcome {
  const word = words[status];
  if (rowsFailed === 0 || (status === 'failed' && rowsFailed === 1)) return { kind: status, word };
  if (status === 'completed' && rowsDone === 0) return { kind: 'all-failed', word: 'All rows failed' };
  const failures = status === 'failed' ? `${count(rowsFailed)} rows failed` : `${count(rowsFailed)} failed`;
  return { kind: status === 'completed' ? 'with-failures' : status, word, failures };
}

/** `Completed, 81 failed` */
export function outcomeText(run: OutcomeInput): string {
  const { word, failures } = runOutcome(run);
  return failures === undefined ? word : `${word}, ${failures}`;
}

const words: Record<RunStatus, string> = {
  queued: 'Queued',
  running: 'Running',
  pausing: 'Pausing',
  paused: 'Paused',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Cancelled',
};
