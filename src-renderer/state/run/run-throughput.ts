// A run's throughput, measured from the progress that the page has seen, and never across a pause.
import type { RunView } from '#contract';

type Sample = { readonly atMs: number; readonly finished: number };

/** Progress samples since the run last started or resumed, oldest first; times on the page's clock. */
export type RunProgress = { readonly isRunning: boolean; readonly samples: readonly Sample[] };

export const noProgress: RunProgress = { isRunning: false, samples: [] };

/** Length of the interval that is measured; longer, up to the maximum, if fewer rows than `minRows` ended in it. */
const minWindowMs = 10_000;
const maxWindowMs = 300_000;
const minRows = 20;
/** The start of a run is not typical, so that no rate is shown before. */
const minElapsedMs = 1_500;
const minSampleIntervalMs = 1_000;

export const finishedRows = ({ rowsDone, rowsFailed }: RunView): number => rowsDone + rowsFailed;

/** The progress with one more sample. */
export function recordProgress(progress: RunProgress, run: RunView, atMs: number): RunProgress {
  if (run.status !== 'running') return progress.isRunning ? noProgress : progress;
  const sample = { atMs, finished: finishedRows(run) };
  const last = progress.samples.at(-1);
  if (!progress.isRunning || last === undefined) return { isRunning: true, samples: [sample] };
  // Within one interval only the newest sample is kept, since `rateAt` compares with it.
  const isSoon =
    progress.samples.length > 1 && atMs - (progress.samples.at(-2)?.atMs ?? 0) < minSampleIntervalMs;
  const before = isSoon ? progress.samples.slice(0, -1) : progress.samples;
  const first = before.findIndex(({ atMs: then }) => atMs - then <= maxWindowMs);
  return { isRunning: true, samples: [...before.slice(Math.max(0, first)), sample] };
}

/** Rows per second; undefined until it is known. */
export function rateAt({ samples }: RunProgress, nowMs: number): number | undefined {
  const newest = samples.at(-1);
  if (newest === undefined) return undefined;
  const enough = (from: Sample): boolean =>
    nowMs - from.atMs >= minWindowMs && newest.finished - from.finished >= minRows;
  const from = samples.findLast(enough) ?? samples[0] ?? newest;
  const ms = nowMs - from.atMs;
  const rows = newest.finished - from.finished;
  return ms < minElapsedMs || rows === 0 ? undefined : (rows / ms) * 1_000;
}

/** Milliseconds since the last row ended while the run was running, as far as the page has seen it. */
export function quietMs({ isRunning, samples }: RunProgress, nowMs: number): number {
  const newest = samples.at(-1);
  if (!isRunning || newest === undefined) return 0;
  const since = samples.find(({ finished }) => finished === newest.finished) ?? newest;
  return Math.max(0, nowMs - since.atMs);
}

/** Remaining time in ms; `rate` is in rows per second. */
export const timeLeft = (run: RunView, rate: number): number =>
  (Math.max(0, run.rows - finishedRows(run)) / rate) * 1_000;
