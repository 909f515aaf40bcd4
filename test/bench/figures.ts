// The results of a benchmark: ratios to something else in the same run, since absolute figures drift.
import { appendFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect } from 'vitest';

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

/** The ratio of each turn. */
export const ratiosOf = (one: readonly number[], other: readonly number[]): number[] =>
  one.map((each, turn) => each / (other[turn] ?? Number.NaN));

/**
 * The one by the other, as the middle of what each turn gives: a machine's pace may double within seconds,
 * and the middles of both would come from different moments.
 */
export const medianRatio = (one: readonly number[], other: readonly number[]): number =>
  median(ratiosOf(one, other));

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
export const report = ({ what, ours, baseline, ratio, aim, isMet }: Figure): void =>
  reportLine({
    what,
    Rowbench: ours,
    'beside it': baseline,
    ratio: ratio.toFixed(2),
    aim,
    met: isMet ? 'yes' : 'no',
  });

/** Prints a line of a table and hands it to `npm run bench`. Lines with the same columns are one table. */
export function reportLine(cells: Readonly<Record<string, string>>): void {
  process.stdout.write(`      ${Object.values(cells).join(' | ')}\n`);
  const file = process.env['ROWBENCH_FIGURES'];
  if (file === undefined) return;
  const spec = basename(expect.getState().testPath ?? '', '.spec.ts');
  appendFileSync(file, `${JSON.stringify({ spec, cells })}\n`);
}
