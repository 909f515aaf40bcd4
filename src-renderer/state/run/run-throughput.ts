// A run's throughput, measured from the progress that the page has seen, and never across a pause.
import type { RunView } from '#contract';
import { finishedRows } from '../../format/live-counts.ts';

type Sample = { readonly atMs: number; readonly finished: number };

/** Progress samples since the run last started or resumed, oldest first; times on the page's clock. */
type RunProgress = { readonly isRunning: boolean; readonly samples: readonly Sample[] };

export const noProgress: RunProgress = { isRunning: false, samples: [] };

/** Length of the interval that is measured; longer, up to the maximum, if fewer rows than `minRows` ended in it. */
const minWindowMs = 10_000;
const maxWindowMs = 300_000;
const minRows = 20;
/** The start of a run is not typical, so that no rate is shown before. */
const minElapsedMs = 1_500;
const minSampleIntervalMs = 1_000;

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

/** Remaining time, as it was shown at `atMs`. */
export type TimeLeft = { readonly ms: number; readonly atMs: number };

/** Time in which the shown time follows the measured one, in ms. */
const smoothingMs = 4_000;
/** Maximum rise of the shown time per second, as a share of it. */
const maxRise = 0.05;

/**
 * The remaining time after a look at the run: it counts down by itself and is drawn towards what the rate says, so that
 * it neither jumps with each row that ends nor rises while none does.
 * @param before the time that was shown last
 * @param rate in rows per second; undefined if it is not known
 */
export function timeLeft(
  before: TimeLeft | undefined,
  { run, rate }: { run: RunView; rate: number | undefined },
  nowMs: number,
): TimeLeft | undefined {
  if (rate === undefined) return undefined;
  const measured = (Math.max(0, run.rows - finishedRows(run)) / rate) * 1_000;
  if (before === undefined) return { ms: measured, atMs: nowMs };
  const elapsed = Math.max(0, nowMs - before.atMs);
  const expected = Math.max(0, before.ms - elapsed);
  const weight = 1 - Math.exp(-elapsed / smoothingMs);
  const highest = before.ms * (1 + (maxRise * elapsed) / 1_000);
  return { ms: Math.min(expected + (measured - expected) * weight, highest), atMs: nowMs };
}
