// The charts of Timing, as numbers and SVG paths. Pure functions.
import { count, fineDuration, type NodeStatisticsView, type ThroughputView } from '#contract';

export type TimeShare = {
  readonly nodeId: string;
  readonly ms: number;
  /** Share of the time spent in all nodes, 0 to 1. */
  readonly share: number;
  /** Number of its colour; undefined for the nodes that share the last colour. */
  readonly colour: number | undefined;
};

/** Number of colours that users can tell apart. */
const maxColours = 8;

/** Nodes with the time that rows spent in them. The nodes with the most time have colours of their own. */
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

/** CSS colour of a node. */
export const chartColour = (colour: TimeShare['colour']): string =>
  colour === undefined ? 'var(--grey-bar)' : `var(--chart-${colour})`;

export const percent = (share: number): string =>
  `${share < 0.0995 ? (share * 100).toFixed(1) : Math.round(share * 100)} %`;

/** A logarithmic scale of durations, from 0 at its start to 1 at its end. */
export type LogScale = {
  readonly at: (ms: number) => number;
  /** Every power of ten; `hasLabel` if there is room for its label. */
  readonly ticks: readonly { readonly ms: number; readonly at: number; readonly hasLabel: boolean }[];
};

/** A scale that covers all durations of the nodes; undefined if none was measured. */
export function latencyScale(nodes: readonly NodeStatisticsView[]): LogScale | undefined {
  const parts = nodes.flatMap(({ latency }) => latency);
  if (parts.length === 0) return undefined;
  // A logarithmic scale has no zero: a duration of 0 is drawn at the start of the scale.
  const minMs = 0.001;
  const from = Math.floor(Math.log10(Math.max(minMs, Math.min(...parts.map(({ fromMs }) => fromMs)))));
  const to = Math.max(from + 1, Math.ceil(Math.log10(Math.max(...parts.map(({ toMs }) => toMs)))));
  const at = (ms: number): number =>
    Math.max(0, Math.min(1, (Math.log10(Math.max(minMs, ms)) - from) / (to - from)));
  const ticks = Array.from({ length: to - from + 1 }, (_, step) => ({
    ms: 10 ** (from + step),
    at: step / (to - from),
    hasLabel: step % Math.ceil((to - from) / maxScaleLabels) === 0,
  }));
  return { at, ticks };
}

/** Maximum labels of a scale. */
const maxScaleLabels = 5;

/** A power of ten as a duration, such as `10 ms`. */
export function tickLabel(ms: number): string {
  if (ms < 0.9) return `${Math.round(ms * 1_000)} µs`;
  return ms < 900 ? `${Math.round(ms)} ms` : `${Math.round(ms / 1_000)} s`;
}

/** Text alternative of the latency picture, for screen readers. */
export const latencyText = ({ latency }: NodeStatisticsView): string =>
  latency
    .map(({ fromMs, toMs, rows }) => `${count(rows)} in ${fineDuration(fromMs)} to ${fineDuration(toMs)}`)
    .join('; ');

/** Bars in a picture of `width` by `height`; the highest bar has its full height. */
export function latencyPath(
  { latency }: NodeStatisticsView,
  scale: LogScale,
  { width, height }: { readonly width: number; readonly height: number },
): string {
  const maxRows = Math.max(1, ...latency.map(({ rows }) => rows));
  return latency
    .map(({ fromMs, toMs, rows }) => {
      const left = scale.at(fromMs) * width;
      const wide = Math.max(1, scale.at(toMs) * width - left - 0.5);
      // Even one row of a million is drawn as a line.
      const tall = Math.max(1, (rows / maxRows) * height);
      return `M${round(left)} ${round(height - tall)}h${round(wide)}v${round(tall)}h-${round(wide)}z`;
    })
    .join('');
}

export type ThroughputPicture = {
  /** Rows per second at the top of the picture. */
  readonly top: number;
  /** Duration that the picture covers. */
  readonly wholeMs: number;
  /** Intervals of the throughput: start in ms, rows, and rows per second. */
  readonly intervals: readonly { readonly fromMs: number; readonly rows: number; readonly rate: number }[];
  /** Outline in a picture of 1000 by 100. */
  readonly path: string;
};

/** @param wholeMs duration of the run so far */
export function throughputPicture({ everyMs, rows }: ThroughputView, wholeMs: number): ThroughputPicture {
  const intervals = rows.map((count, at) => ({
    fromMs: at * everyMs,
    rows: count,
    rate: (count / lastedMs(at, { rows, everyMs, wholeMs })) * 1_000,
  }));
  const whole = Math.max(wholeMs, rows.length * everyMs, 1);
  const top = roundUp(Math.max(...intervals.map(({ rate }) => rate), 0.1));
  const x = (ms: number): string => round((ms / whole) * 1_000);
  const steps = intervals.map(
    ({ fromMs, rate }) => `V${round(100 - (rate / top) * 100)}H${x(fromMs + everyMs)}`,
  );
  return { top, wholeMs: whole, intervals, path: `M0 100${steps.join('')}V100z` };
}

/** Duration of an interval. The last one may be shorter than the others; otherwise its rate would be too low. */
function lastedMs(
  at: number,
  { rows, everyMs, wholeMs }: { rows: readonly number[]; everyMs: number; wholeMs: number },
): number {
  const lasted = at === rows.length - 1 ? wholeMs - at * everyMs : everyMs;
  return Math.max(everyMs / 4, Math.min(everyMs, lasted));
}

/** Rounds up to 1, 2 or 5 times a power of ten. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return (([1, 2, 5] as const).find((step) => step * power >= value) ?? 10) * power;
}

const round = (value: number): string => String(Math.round(value * 100) / 100);
