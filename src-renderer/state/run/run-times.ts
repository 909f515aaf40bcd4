// A run's working time and its paused time; pauses do not count as working time.
import { duration, type RunView } from '#contract';

export type RunTimes = { readonly workedMs: number; readonly pausedMs: number };

/** Nothing is known of a run that has not started. */
export function runTimes(run: RunView, nowMs: number): RunTimes {
  const startMs = Date.parse(run.startedAt);
  const endMs = run.finishedAt === null ? nowMs : Date.parse(run.finishedAt);
  const restingMs = run.pausedAt === undefined ? 0 : Math.max(0, endMs - Date.parse(run.pausedAt));
  const pausedMs = (run.pausedMs ?? 0) + restingMs;
  return { workedMs: Math.max(0, endMs - startMs - pausedMs), pausedMs };
}

/** Whether it has worked at all: one that is queued, or was paused in the queue, has not. */
const hasWorked = (run: RunView): boolean =>
  run.pausedAt !== undefined ||
  run.pausedMs !== undefined ||
  (run.status !== 'queued' && run.status !== 'paused');

/** How long it has worked; empty where that cannot be said yet: clocks of two programs differ by moments. */
export function workedWords(run: RunView, nowMs: number): string {
  const { workedMs } = runTimes(run, nowMs);
  const isTooEarly = run.finishedAt === null && workedMs < 1_000;
  return !hasWorked(run) || isTooEarly ? '' : duration(workedMs);
}

/** `for 12 s`, `took 12 s, paused for 3 m 00 s besides` */
export function timeWords(run: RunView, nowMs: number): string {
  const worked = workedWords(run, nowMs);
  const { pausedMs } = runTimes(run, nowMs);
  const isWorking = run.status === 'running' || run.status === 'pausing';
  const lead = run.finishedAt !== null ? 'took' : isWorking ? 'for' : 'worked for';
  return [
    ...(worked === '' ? [] : [`${lead} ${worked}`]),
    ...(pausedMs < 1_000 ? [] : [`paused for ${duration(pausedMs)}`]),
  ].join(', ');
}
