// The charts of where a run's time went, as numbers and SVG paths. Pure.
import { count, fineDuration, type NodeStatisticsView, type PaceView } from '#contract';

export type TimeShare = {
  readonly nodeId: string;
  readonly ms: number;
  /** Share of the time spent in all nodes, 0 to 1. */
  readonly share: number;
  /** Number of its colour; undefined: one of those that share the last. */
  readonly colour: number | undefined;
};

/** Colours that people can tell apart. */
const maxColours = 8;

/** Nodes by the time that rows spent in them; the ones with the most have colours of their own. */
export function timeShares(nodes: readonly NodeStatisticsView[]): readonly TimeShare[] {
  const whole = nodes.reduce((sum, { ms }) => sum + ms, 0);
  const largest = nodes.filter(({ ms }) => ms > 0).toSorted((one, other) => other.ms - one.ms);
  const ranks = new Map(largest.slice(0, maxColours).map(({ nodeId }, rank) => [nodeId, rank]));
  return nodes.map(({ nodeId, ms }) => ({
    nodeId,
    ms,
    share: whole === 0 ? 0 : ms / whole,
    colour: ranks.get(nodeId),
  }));
}

/** The colour of a node in a picture, as a token. */
export const chartColour = (colour: TimeShare['colour']): string =>
  colour === undefined ? 'var(--grey-bar)' : `var(--chart-${colour})`;

export const percent = (share: number): string =>
  `${share < 0.0995 ? (share * 100).toFixed(1) : Math.round(share * 100)} %`;

/** A scale of times by powers of ten: 0 where it begins, 1 where it ends. */
export type LogScale = {
  readonly at: (ms: number) => number;
  /** Every power of ten; those that are told have room for their words. */
  readonly ticks: readonly { readonly ms: number; readonly at: number; readonly isTold: boolean }[];
};

/** Around all times of the nodes; undefined where nothing was timed. */
export function latencyScale(nodes: readonly NodeStatisticsView[]): LogScale | undefined {
  const parts = nodes.flatMap(({ latency }) => latency);
  if (parts.length === 0) return undefined;
  // What took no time at all has no place on such a scale: it stands at its beginning.
  const least = 0.001;
  const from = Math.floor(Math.log10(Math.max(least, Math.min(...parts.map(({ fromMs }) => fromMs)))));
  const to = Math.max(from + 1, Math.ceil(Math.log10(Math.max(...parts.map(({ toMs }) => toMs)))));
  const at = (ms: number): number =>
    Math.max(0, Math.min(1, (Math.log10(Math.max(least, ms)) - from) / (to - from)));
  const ticks = Array.from({ length: to - from + 1 }, (_, step) => ({
    ms: 10 ** (from + step),
    at: step / (to - from),
    isTold: step % Math.ceil((to - from) / maxScaleLabels) === 0,
  }));
  return { at, ticks };
}

/** Words beside each other on a scale. */
const maxScaleLabels = 5;

/** A power of ten in the unit that people read. */
export function tickWord(ms: number): string {
  if (ms < 0.9) return `${Math.round(ms * 1_000)} µs`;
  return ms < 900 ? `${Math.round(ms)} ms` : `${Math.round(ms / 1_000)} s`;
}

/** Text alternative of the latency picture, for screen readers. */
export const latencyWords = ({ latency }: NodeStatisticsView): string =>
  latency
    .map(({ fromMs, toMs, rows }) => `${count(rows)} in ${fineDuration(fromMs)} to ${fineDuration(toMs)}`)
    .join('; ');

/** Bars on a ground of `width` by `height`; the node's tallest fills it. */
export function latencyPath(
  { latency }: NodeStatisticsView,
  scale: LogScale,
  { width, height }: { readonly width: number; readonly height: number },
): string {
  const most = Math.max(1, ...latency.map(({ rows }) => rows));
  return latency
    .map(({ fromMs, toMs, rows }) => {
      const left = scale.at(fromMs) * width;
      const wide = Math.max(1, scale.at(toMs) * width - left - 0.5);
      // One row among a million is a line still.
      const tall = Math.max(1, (rows / most) * height);
      return `M${round(left)} ${round(height - tall)}h${round(wide)}v${round(tall)}h-${round(wide)}z`;
    })
    .join('');
}

export type PacePicture = {
  /** Rows a second at the top of the picture. */
  readonly top: number;
  /** From the start to the end of the picture. */
  readonly wholeMs: number;
  /** The intervals of the throughput: start in ms, rows, and rows per second. */
  readonly stretches: readonly { readonly fromMs: number; readonly rows: number; readonly rate: number }[];
  /** Outline on a ground of 1000 by 100. */
  readonly path: string;
};

/** @param wholeMs how long the run took, or takes by now */
export function pacePicture({ everyMs, rows }: PaceView, wholeMs: number): PacePicture {
  const stretches = rows.map((count, at) => ({
    fromMs: at * everyMs,
    rows: count,
    rate: (count / lastedMs(at, { rows, everyMs, wholeMs })) * 1_000,
  }));
  const whole = Math.max(wholeMs, rows.length * everyMs, 1);
  const top = roundUp(Math.max(...stretches.map(({ rate }) => rate), 0.1));
  const x = (ms: number): string => round((ms / whole) * 1_000);
  const steps = stretches.map(
    ({ fromMs, rate }) => `V${round(100 - (rate / top) * 100)}H${x(fromMs + everyMs)}`,
  );
  return { top, wholeMs: whole, stretches, path: `M0 100${steps.join('')}V100z` };
}

/** The last stretch of a run is as long as the run was in it: its rate would be told too low. */
function lastedMs(
  at: number,
  { rows, everyMs, wholeMs }: { rows: readonly number[]; everyMs: number; wholeMs: number },
): number {
  const lasted = at === rows.length - 1 ? wholeMs - at * everyMs : everyMs;
  return Math.max(everyMs / 4, Math.min(everyMs, lasted));
}

/** To 1, 2 or 5 times a power of ten. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return (([1, 2, 5] as const).find((step) => step * power >= value) ?? 10) * power;
}

const round = (value: number): string => String(Math.round(value * 100) / 100);
