// A run's working time and its paused time; pauses do not count as working time.
import { duration, type RunView } from '#contract';

type RunTimes = { readonly workedMs: number; readonly pausedMs: number };

/** Not meaningful for a run that has not started. */
export function runTimes(run: RunView, nowMs: number): RunTimes {
  const startMs = Date.parse(run.startedAt);
  const endMs = run.finishedAt === null ? nowMs : Date.parse(run.finishedAt);
  const currentPauseMs = run.pausedAt === undefined ? 0 : Math.max(0, endMs - Date.parse(run.pausedAt));
  const pausedMs = (run.pausedMs ?? 0) + currentPauseMs;
  return { workedMs: Math.max(0, endMs - startMs - pausedMs), pausedMs };
}

/** False for a run that is queued or was paused in the queue. */
const hasWorked = (run: RunView): boolean =>
  run.pausedAt !== undefined ||
  run.pausedMs !== undefined ||
  (run.status !== 'queued' && run.status !== 'paused');

/** Working time as text; empty in the first second, since the clocks of page and server differ slightly. */
export function workedText(run: RunView, nowMs: number): string {
  const { workedMs } = runTimes(run, nowMs);
  const isTooEarly = run.finishedAt === null && workedMs < 1_000;
  return !hasWorked(run) || isTooEarly ? '' : duration(workedMs);
}

/** `running 12 s`, or `Duration 12 s (paused 3 m 00 s)`. */
export function timesText(run: RunView, nowMs: number): string {
  const worked = workedText(run, nowMs);
  const { pausedMs } = runTimes(run, nowMs);
  const isWorking = run.status === 'running' || run.status === 'pausing';
  const lead = run.finishedAt !== null ? 'Duration' : isWorking ? 'running' : 'ran';
  const paused = pausedMs < 1_000 ? '' : `paused ${duration(pausedMs)}`;
  if (worked === '') return paused;
  return `${lead} ${worked}${paused === '' ? '' : ` (${paused})`}`;
}
