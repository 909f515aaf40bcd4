// The results of tests as words for a person, and as JSON for a script.
import { describeDifferences, fieldPath } from '../../domain/tests/describe-differences.ts';
import type { Difference } from '../../domain/tests/compare-outcome.ts';
import {
  countTests,
  testCountsText,
  type FileReport,
  type TestResult,
} from '../../domain/tests/test-report.ts';
import { describeIssue } from '../../domain/workflow/issue.ts';
import { count, counted, duration } from '../../domain/format.ts';
import { needLines } from '../failure-lines.ts';
import { printable } from '../format.ts';
import type { ColouredText } from '../terminal/terminal.ts';

/** One line for a file that passed; for any other what is wrong in it. Empty for a file without tests to run. */
export function describeFile({ file, issues, results }: FileReport): ColouredText {
  if (issues.length > 0) {
    const lines = issues.map((issue) => `  ${printable(describeIssue(issue.file, issue))}\n`);
    return [red('FAIL'), `  ${file}\n${lines.join('')}`];
  }
  if (results.length === 0) return [];
  const failed = results.filter(({ status }) => status !== 'passed');
  const read = readLines(results);
  if (failed.length === 0) return [green('ok'), `    ${file} (${counted(results.length, 'test')})\n${read}`];
  return [
    red('FAIL'),
    `  ${file} (${count(failed.length)} of ${counted(results.length, 'test')})\n${read}`,
    ...failed.flatMap((result) => describeResult(file, result)),
  ];
}

/** A line for each file of rows and each table about which there are remarks. */
const readLines = (results: readonly TestResult[]): string =>
  [...new Set(results.flatMap(({ read, notes = [] }) => (read === undefined ? notes : [read, ...notes])))]
    .map((line) => `        ${printable(line)}\n`)
    .join('');

function describeResult(file: string, result: TestResult): ColouredText {
  const head = `\n  ${file}:${result.line}: ${printable(result.name)}\n    `;
  if (result.status === 'broken')
    return [head, red(printable(result.error)), '\n', ...needsOf([result.error]), '\n'];
  if (result.status === 'passed') return [];
  const described = describeDifferences(result.differences, { more: result.more });
  const lines = described.flatMap(({ sign, text, depth }) => {
    const line = printable(sign === '' ? text : `${sign} ${text}`);
    const coloured = sign === '' ? line : sign === '-' ? red(line) : green(line);
    return [`    ${'  '.repeat(depth)}`, coloured, '\n'];
  });
  const needs = needsOf(described.map(({ text }) => text));
  return [head, { colour: 'dim', text: '- expected  + actual' }, '\n', ...lines, ...needs, '\n'];
}

const needsOf = (messages: readonly string[]): readonly string[] =>
  needLines(messages).map((line) => `    ${printable(line)}\n`);

const red = (text: string) => ({ colour: 'red', text }) as const;
const green = (text: string) => ({ colour: 'green', text }) as const;

/** `4 tests passed, 1 failed in 1.2 s` */
export const summary = (reports: readonly FileReport[], ms: number): string =>
  `${testCountsText(countTests(reports))} in ${duration(ms)}\n`;

/** For `--json`: rows count from 1, as everywhere else. */
export const reportView = (reports: readonly FileReport[]) => ({
  ...countTests(reports),
  files: reports.map(({ file, issues, results }) => ({
    file,
    issues,
    tests: results.map((result) =>
      result.status === 'failed'
        ? { ...result, differences: result.differences.map(differenceView) }
        : result,
    ),
  })),
});

function differenceView({ what, path, expected, actual, rule, found }: Difference) {
  const [row, ...field] = path;
  if (what === 'fields')
    return typeof row === 'number'
      ? { what, row: row + 1, field: field.join(''), rule, found }
      : { what, field: row, rule, found };
  return {
    what,
    ...(typeof row === 'number' ? { row: row + 1, field: fieldPath(field) } : {}),
    ...(rule === undefined ? {} : { rule, found }),
    ...(expected === undefined ? {} : { expected }),
    ...(actual === undefined ? {} : { actual }),
  };
}
