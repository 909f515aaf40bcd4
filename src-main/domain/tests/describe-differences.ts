// Differences as lines for a person: where, what was expected (-), what came (+).
import type { JsonValue } from '../../base/json-value.ts';
import { count } from '../format.ts';
import type { PathStep } from '../workflow/file-problem.ts';
import type { Difference } from './compare-outcome.ts';

export type ReportLine = {
  /** `-` expected, `+` actual, empty for where it is. */
  readonly sign: '-' | '+' | '';
  readonly text: string;
  /** Levels to indent by. */
  readonly depth: number;
  /** The row, from 1, or the value in it that the line is about; only on request, and where both sides have a row. */
  readonly part?: { readonly row: number; readonly path: readonly PathStep[] };
};

/** Maximum differences in a report: more of them say no more. */
const usualDifferences = 20;

type DescribeOptions = {
  /** Number of differences that are not in the list. */
  readonly more?: number | undefined;
  readonly maxDifferences?: number;
  /** True: lines about parts of rows name them. */
  readonly addsPart?: boolean;
};

/** Grouped by row; rows count from 1. */
export function describeDifferences(
  differences: readonly Difference[],
  { more = 0, maxDifferences = usualDifferences, addsPart = false }: DescribeOptions = {},
): ReportLine[] {
  const lines: ReportLine[] = [];
  let group = '';
  for (const difference of differences.slice(0, maxDifferences)) {
    const { row, field } = locationOf(difference);
    const part = addsPart ? partOf(difference) : undefined;
    if (row !== group) lines.push(headLine(row, 0, part && { ...part, path: [] }));
    group = row;
    if (field !== '') lines.push(headLine(field, 1, part));
    lines.push(...valueLines(difference, field === '' ? 1 : 2));
  }
  const left = Math.max(0, differences.length - maxDifferences) + more;
  if (left > 0) lines.push({ sign: '', text: `and ${count(left)} more`, depth: 0 });
  return lines;
}

const headLine = (text: string, depth: number, part: ReportLine['part']): ReportLine =>
  part === undefined ? { sign: '', text, depth } : { sign: '', text, depth, part };

function valueLines(difference: Difference, depth: number): readonly ReportLine[] {
  const [expected, actual] = valueTexts(difference);
  return [
    ...(expected === undefined ? [] : [{ sign: '-' as const, text: expected, depth }]),
    ...(actual === undefined ? [] : [{ sign: '+' as const, text: actual, depth }]),
  ];
}

function partOf({ what, path, expected, actual }: Difference): ReportLine['part'] {
  const [row, ...field] = path;
  const isWholeRow = field.length === 0 && (expected === undefined || actual === undefined);
  return what !== 'rows' || typeof row !== 'number' || isWholeRow ? undefined : { row: row + 1, path: field };
}

/** `row 2` and `tags[1].name`; for the end of the run `status` or `error` alone. */
function locationOf({ what, path }: Difference): { readonly row: string; readonly field: string } {
  const [row, ...field] = path;
  if (what === 'fields')
    return typeof row === 'number'
      ? { row: `row ${row + 1}`, field: field.join('') }
      : { row: 'all rows', field: String(row) };
  if ((what !== 'rows' && what !== 'trace') || typeof row !== 'number') return { row: what, field: '' };
  return { row: `${what === 'trace' ? 'trace of ' : ''}row ${row + 1}`, field: fieldPath(field) };
}

export const fieldPath = (path: readonly PathStep[]): string =>
  path.map((step, index) => (index === 0 ? pathStart(step) : pathStep(step))).join('');

const pathStart = (step: PathStep): string => (isName(step) ? step : pathStep(step));
const pathStep = (step: PathStep): string => (isName(step) ? `.${step}` : `[${JSON.stringify(step)}]`);
const isName = (step: PathStep): step is string =>
  typeof step === 'string' && /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(step);

/** Room on a line; a longer value is shown around the place where the two part. */
const longest = 160;
const shownBefore = 40;

function valueTexts({ expected, actual, rule, found }: Difference): readonly (string | undefined)[] {
  if (rule !== undefined) return [rule, found];
  const texts = [expected, actual].map((value) => (value === undefined ? undefined : textOf(value)));
  const [one = '', other = ''] = texts;
  const start = Math.max(0, firstDifference(one, other) - shownBefore);
  return texts.map((text) => text && excerpt(text, start));
}

const textOf = (value: JsonValue): string => JSON.stringify(value);

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

function excerpt(text: string, start: number): string {
  if (text.length <= longest) return text;
  const head = start > 0 ? '…' : '';
  const cut = text.slice(start, start + longest);
  return `${head}${cut}${start + longest < text.length ? '…' : ''}`;
}
