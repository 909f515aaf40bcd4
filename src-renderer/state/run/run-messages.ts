// Texts that explain the state of a run. Pure functions, so that tests need no page.
import { count, duration, isFinal, type HostedAttempt, type RunView } from '#contract';
import { ControlError } from '../../api/control-error.ts';

/** Reason why the run waits; undefined if it is running or has ended. */
export function waitsFor(run: RunView, runs: readonly RunView[]): string | undefined {
  if (run.hosted !== undefined) return hostedWait(run, run.hosted);
  switch (run.status) {
    case 'queued':
      return queueText(run, runs);
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

function hostedWait(run: RunView, { connection, sentAt, isUnknown }: HostedAttempt): string | undefined {
  if (isFinal(run.status) || isUnknown === true) return undefined;
  if (sentAt !== undefined)
    return run.status === 'paused'
      ? `Paused at ${connection}, which has no call to resume it`
      : `At ${connection}`;
  return run.status === 'paused' ? 'Resume sends its rows' : `Waits to be sent to ${connection}`;
}

/** Silence after which finished rows that wait for an earlier row are reported. Shorter waits are normal. */
const waitingAfterMs = 3_000;
/** Silence after which a run without any finished row is reported. */
const stalledAfterMs = 10_000;

/** Reason why a running run has made no progress for `quietMs`; undefined if that is still normal. */
export function stalledText(run: RunView, quietMs: number): string | undefined {
  // A hosted service gives all outputs at once.
  if (run.hosted !== undefined || run.status !== 'running' || quietMs < waitingAfterMs) return undefined;
  const { waiting } = run;
  if (waiting !== undefined) {
    // In a rerun, the number of a row is not its position.
    const first = run.rerunOf === undefined ? `row ${count(waiting.forRow)}` : 'a row before them';
    const have = waiting.rows === 1 ? 'row has ended and waits' : 'rows have ended and wait';
    return `${count(waiting.rows)} ${have} for ${first}: rows are kept in order`;
  }
  return quietMs < stalledAfterMs ? undefined : `No row has ended for ${duration(quietMs)}`;
}

function queueText(run: RunView, runs: readonly RunView[]): string {
  if (run.scenario?.includes('queued-for') === true) return 'Held in the queue by its scenario';
  const working = runs.filter(({ status }) => status === 'running' || status === 'pausing').length;
  const before = runs.filter(({ status, runId }) => status === 'queued' && runId < run.runId).length;
  const ahead = [
    ...(working > 0 ? [`${working} at work`] : []),
    ...(before > 0 ? [`${before} waiting before it`] : []),
  ];
  return ahead.length === 0 ? 'Waits in the queue' : `Waits in the queue: ${ahead.join(', ')}`;
}

/** Number of rows without an output: failed ones and those that were never reached. */
export const missingRows = ({ rows, rowsDone }: RunView): number => Math.max(0, rows - rowsDone);

/**
 * Ids of the runs that repeat a run, newest first.
 * @param reported ids from the detail of the run; runs of the live feed are added
 */
export function rerunsOf(
  runId: string,
  reported: readonly string[],
  runs: readonly RunView[],
): readonly string[] {
  const live = runs.filter(({ rerunOf }) => rerunOf === runId).map((run) => run.runId);
  return [...new Set([...live, ...reported])].sort().reverse();
}

/** True if the run does not exist or has been removed; other problems may be temporary. */
export const isRunGone = (problem: unknown): boolean =>
  problem instanceof ControlError && problem.code === 'run_not_found';
