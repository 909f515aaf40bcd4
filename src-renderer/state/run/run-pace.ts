// A run's throughput, from the progress that the page has seen. It is shown only once it is known, and never measured
// across a pause.
import type { RunView } from '#contract';

type Sample = { readonly atMs: number; readonly finished: number };

/** Progress samples since the run last started or resumed, oldest first; times on the page's clock. */
export type Pace = { readonly isRunning: boolean; readonly samples: readonly Sample[] };

export const unknownPace: Pace = { isRunning: false, samples: [] };

/** A look back of this length is smooth; where fewer rows than `fewRows` end in it, a longer one. */
const shortLookMs = 10_000;
const longLookMs = 300_000;
const fewRows = 20;
/** Before that a rate says more of the start than of the run. */
const minMs = 1_500;
const minIntervalMs = 1_000;

export const finishedRows = ({ rowsDone, rowsFailed }: RunView): number => rowsDone + rowsFailed;

/** The pace after a look at the run. */
export function notePace(pace: Pace, run: RunView, atMs: number): Pace {
  if (run.status !== 'running') return pace.isRunning ? unknownPace : pace;
  const sample = { atMs, finished: finishedRows(run) };
  const last = pace.samples.at(-1);
  if (!pace.isRunning || last === undefined) return { isRunning: true, samples: [sample] };
  // Between two samples only the newest counts: it is what `rateAt` compares with.
  const isSoon = pace.samples.length > 1 && atMs - (pace.samples.at(-2)?.atMs ?? 0) < minIntervalMs;
  const before = isSoon ? pace.samples.slice(0, -1) : pace.samples;
  const first = before.findIndex(({ atMs: then }) => atMs - then <= longLookMs);
  return { isRunning: true, samples: [...before.slice(Math.max(0, first)), sample] };
}

/** Rows a second; undefined while it is not known. */
export function rateAt({ samples }: Pace, nowMs: number): number | undefined {
  const newest = samples.at(-1);
  if (newest === undefined) return undefined;
  const enough = (from: Sample): boolean =>
    nowMs - from.atMs >= shortLookMs && newest.finished - from.finished >= fewRows;
  const from = samples.findLast(enough) ?? samples[0] ?? newest;
  const ms = nowMs - from.atMs;
  const rows = newest.finished - from.finished;
  return ms < minMs || rows === 0 ? undefined : (rows / ms) * 1_000;
}

/** How long no further row has ended while it ran, as far as the page has seen it. */
export function quietMs({ isRunning, samples }: Pace, nowMs: number): number {
  const newest = samples.at(-1);
  if (!isRunning || newest === undefined) return 0;
  const since = samples.find(({ finished }) => finished === newest.finished) ?? newest;
  return Math.max(0, nowMs - since.atMs);
}

/** Remaining time in ms; `rate` is in rows per second. */
export const timeLeft = (run: RunView, rate: number): number =>
  (Math.max(0, run.rows - finishedRows(run)) / rate) * 1_000;
