// Words for the rows of a chain, and for those that an attempt has.
import { count, counted, type ChainAttempt, type RunView } from '#contract';

/** `sample: 10 random rows`, `rest of the sample`, `open rows`, `selected rows`, `fixed rows`, `all rows`. */
export function attemptRowsText({ part, sample, isRest }: RunView): string {
  if (sample !== undefined) return `sample: ${sampleText(sample.choice)}`;
  if (part === 'rest' || isRest === true) return 'rest of the sample';
  if (part === 'open') return 'open rows';
  if (part === 'rows') return 'selected rows';
  return part === 'edited' ? 'fixed rows' : 'all rows';
}

/** @param choice such as `random:9:42`, `first:20` or `each:country` */
function sampleText(choice: string): string {
  const [kind, value = ''] = choice.split(':');
  if (kind === 'each') return `one row for each value of ${choice.slice('each:'.length)}`;
  const rows = Number.parseInt(value, 10);
  return kind === 'random' ? counted(rows, 'random row') : `the first ${counted(rows, 'row')}`;
}

/** `150 fixed · 134 failed again`, `4,787 done · 216 failed`; empty before the first result. */
export function attemptResultText({
  rowsDone,
  rowsFailed,
  fixed = 0,
  failedAgain = 0,
}: ChainAttempt): string {
  const parts = [
    [fixed, 'fixed'],
    [rowsDone - fixed, 'done'],
    [failedAgain, 'failed again'],
    [rowsFailed - failedAgain, 'failed'],
  ] as const;
  return parts
    .filter(([rows]) => rows > 0)
    .map(([rows, end]) => `${count(rows)} ${end}`)
    .join(' · ');
}

/** All rows of a chain. @param source name of the file that they came from; undefined: it is unknown */
export const wholeLabel = (source: string | undefined): string =>
  source === undefined ? 'All rows' : 'Whole file';
