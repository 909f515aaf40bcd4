// The texts about a run beside its numbers. Pure functions, so that tests need no page.
import { count, duration, type RunView } from '#contract';
import { ControlError } from '../../api/control-error.ts';

/** Why the run waits; undefined if the run is running or has ended. */
export function waitsFor(run: RunView, runs: readonly RunView[]): string | undefined {
  switch (run.status) {
    case 'queued':
      return queueWords(run, runs);
    case 'pausing':
      return 'Waiting for running nodes to finish; no new ones start';
    case 'paused':
      return run.scenario === undefined
        ? 'Resume continues where it stopped'
        : 'Resume continues where it stopped; its scenario may have paused it';
    default:
      return undefined;
  }
}

/** Before that a run is as fast as others: a row waits for the one before it all the time. */
const quietOnceMs = 3_000;
const quietAtAllMs = 10_000;

/** Why a run that works has not got on for that long; undefined where it has. */
export function stillWords(run: RunView, quietMs: number): string | undefined {
  if (run.status !== 'running' || quietMs < quietOnceMs) return undefined;
  const { waiting } = run;
  if (waiting !== undefined) {
    // In a rerun a row's number is not its place.
    const first = run.rerunOf === undefined ? `row ${count(waiting.forRow)}` : 'a row before them';
    const have = waiting.rows === 1 ? 'row has ended and waits' : 'rows have ended and wait';
    return `${count(waiting.rows)} ${have} for ${first}: rows are kept in order`;
  }
  return quietMs < quietAtAllMs ? undefined : `No row has ended for ${duration(quietMs)}`;
}

function queueWords(run: RunView, runs: readonly RunView[]): string {
  if (run.scenario?.includes('queued-for') === true) return 'Held in the queue by its scenario';
  const working = runs.filter(({ status }) => status === 'running' || status === 'pausing').length;
  const before = runs.filter(({ status, runId }) => status === 'queued' && runId < run.runId).length;
  const ahead = [
    ...(working > 0 ? [`${working} at work`] : []),
    ...(before > 0 ? [`${before} waiting before it`] : []),
  ];
  return ahead.length === 0 ? 'Waits in the queue' : `Waits in the queue: ${ahead.join(', ')}`;
}

/** Rows that have no output: failed ones and those that were never reached. */
export const missingRows = ({ rows, rowsDone }: RunView): number => Math.max(0, rows - rowsDone);

/** Ids of the runs that repeat it, newest first: those that the page was told of, and those it knows live. */
export function rerunsOf(
  runId: string,
  told: readonly string[],
  runs: readonly RunView[],
): readonly string[] {
  const live = runs.filter(({ rerunOf }) => rerunOf === runId).map((run) => run.runId);
  return [...new Set([...live, ...told])].sort().reverse();
}

/** Whether what went wrong says that there is no such run, or not any more; anything else may pass. */
export const isRunGone = (problem: unknown): boolean =>
  problem instanceof ControlError && problem.code === 'run_not_found';
