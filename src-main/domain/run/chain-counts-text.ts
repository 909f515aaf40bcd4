import { count, counted } from '../format.ts';

type CountedChain = {
  readonly rows: number;
  readonly done: number;
  readonly open: number;
  readonly unknown?: number;
  readonly attempts: number;
};

/** Counts of a chain in a line: "4,787 of 5,003 done · 216 open · 2 attempts". */
export const chainCountsText = ({ rows, done, open, unknown = 0, attempts }: CountedChain): string =>
  [
    `${count(done)} of ${count(rows)} done`,
    ...(open === 0 ? [] : [`${count(open)} open`]),
    ...(unknown === 0 ? [] : [`${count(unknown)} unknown`]),
    ...(attempts === 1 ? [] : [counted(attempts, 'attempt')]),
  ].join(' · ');
