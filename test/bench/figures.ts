// The results of a benchmark: ratios to something else in the same run, since absolute figures drift.
import { appendFileSync } from 'node:fs';

export type Figure = {
  readonly what: string;
  readonly ours: string;
  readonly baseline: string;
  /** Ours to the other's, more is better; or how often as long, less is better: the aim tells. */
  readonly ratio: number;
  readonly aim: string;
  readonly isMet: boolean;
};

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? Number.NaN;

/**
 * The one by the other, as the middle of what each turn gives: a machine's pace may double within seconds,
 * and the middles of both would come from different moments.
 */
export const medianRatio = (one: readonly number[], other: readonly number[]): number =>
  median(one.map((each, turn) => each / (other[turn] ?? Number.NaN)));

/** A figure whose ratio should be at least so much. */
export const atLeast = (least: number, found: Omit<Figure, 'aim' | 'isMet'>): Figure => ({
  ...found,
  aim: `>= ${least.toFixed(2)}`,
  isMet: found.ratio >= least,
});

/** A figure whose ratio should be at most so much. */
export const atMost = (most: number, found: Omit<Figure, 'aim' | 'isMet'>): Figure => ({
  ...found,
  aim: `<= ${most.toFixed(2)}`,
  isMet: found.ratio <= most,
});

/** A figure that only tells where a limit is. */
export const withoutAim = (found: Omit<Figure, 'aim' | 'isMet'>): Figure => ({
  ...found,
  aim: 'none',
  isMet: true,
});

/** Prints a figure, and hands it to `npm run bench` for its table. */
export function report(figure: Figure): void {
  const { what, ours, baseline, ratio, aim, isMet } = figure;
  process.stdout.write(
    `      ${what}: ${ours} | ${baseline} | ${ratio.toFixed(2)} (aim ${aim}${isMet ? '' : ', missed'})\n`,
  );
  const file = process.env['ROWBENCH_FIGURES'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(figure)}\n`);
}
