// The texts of a comparison: its labels, and a summary in Markdown. Who calls: the command line and the app's pages.
import { count, counted } from '../format.ts';
import { columnText } from './column.ts';
import {
  differingRows,
  pairOutcomes,
  type ChangedField,
  type ComparedRow,
  type PairOutcome,
  type RowMatching,
  type ComparisonSummary,
} from './compare-runs.ts';
import type { RunComparisonView } from './comparison-views.ts';

export const outcomeLabels: Record<PairOutcome, string> = {
  same: 'same',
  changed: 'changed',
  newlyFailing: 'newly failing',
  fixed: 'fixed',
  bothFailed: 'failed in both',
  notCompared: 'not compared',
  onlyInFirst: 'only in the first run',
  onlyInSecond: 'only in the second run',
};

/** `row number`, `position`, `input.email` */
export function matchingText(matching: RowMatching): string {
  if (typeof matching !== 'string') return columnText(matching);
  return matching === 'number' ? 'row number' : 'position';
}

/** A summary for a pull request, with the comparison's rows. */
export function comparisonMarkdown(comparison: RunComparisonView): string {
  const { fields, rows } = comparison;
  return [
    `### ${differingRows(comparison.counts) === 0 ? 'No differences' : 'Differences'} between two runs\n\n`,
    `${markdownText(comparisonSummary(comparison))}\n\n${countsText(comparison)}\n`,
    ...(fields.length === 0 ? [] : ['\n', markdownTable(['Field', 'Changed in'], fields.map(fieldCells))]),
    ...(rows.length === 0 ? [] : ['\n', markdownTable(['Row', 'Result', 'Fields'], rows.map(rowCells))]),
    moreText(comparison),
  ].join('');
}

export function comparisonSummary({
  firstRunId,
  secondRunId,
  matching,
  isSameWorkflow,
  repeatedKeys,
}: RunComparisonView): string {
  return [
    `${firstRunId} and ${secondRunId}, matched by ${matchingText(matching)}.`,
    ...(isSameWorkflow ? [] : ['The workflow was changed between them.']),
    ...(repeatedKeys === 0 ? [] : [`${counted(repeatedKeys, 'row')} share their value with an earlier one.`]),
  ].join(' ');
}

export const countsText = ({ counts }: Pick<ComparisonSummary, 'counts'>): string =>
  pairOutcomes
    .filter((outcome) => counts[outcome] > 0)
    .map((outcome) => `${count(counts[outcome])} ${outcomeLabels[outcome]}`)
    .join(', ') || 'Neither run has a row';

export const fieldCells = ({ name, rows }: ComparisonSummary['fields'][number]): string[] => [
  name,
  counted(rows, 'row'),
];

export function moreText({ counts, rows }: Pick<RunComparisonView, 'counts' | 'rows'>): string {
  const left = differingRows(counts) - rows.length;
  return left <= 0
    ? ''
    : `\n${counted(left, 'more row')} ${left === 1 ? 'differs' : 'differ'}. --limit lists more, --out writes them all.\n`;
}

export const rowCells = ({ outcome, firstNumber, secondNumber, fields = [] }: ComparedRow): string[] => [
  firstNumber === undefined || secondNumber === undefined || firstNumber === secondNumber
    ? String(firstNumber ?? secondNumber)
    : `${firstNumber} / ${secondNumber}`,
  outcomeLabels[outcome],
  fields.map(fieldText).join('; '),
];

function fieldText({ name, before, after }: ChangedField): string {
  const text = (value: ChangedField['before']): string =>
    value === undefined ? 'absent' : shortText(JSON.stringify(value));
  const difference =
    typeof before === 'number' && typeof after === 'number' ? ` (${signed(after - before)})` : '';
  return `${name}: ${text(before)} → ${text(after)}${difference}`;
}

const signed = (difference: number): string =>
  `${difference > 0 ? '+' : ''}${Number(difference.toPrecision(6))}`;

const shortText = (text: string): string => (text.length > 60 ? `${text.slice(0, 59)}…` : text);

const markdownTable = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  [header, header.map(() => '---'), ...rows.map((cells) => cells.map(markdownText))]
    .map((cells) => `| ${cells.join(' | ')} |\n`)
    .join('');

/**
 * Text of others: it neither ends a cell nor becomes HTML, a link, a mention or an image. Some sites search the finished page
 * for mentions, issues and addresses, so a zero-width space divides these.
 */
const markdownText = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ')
    .replaceAll(/[\\`*_[\]#!|<>@&~]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replaceAll(/&#(?:35|64);|:(?=\/\/)|www(?=\.)/gi, '$&&#8203;');
