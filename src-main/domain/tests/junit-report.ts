// The results as JUnit XML, which CI systems show: a suite for each file, a case for each test.
import { describeDifferences } from './describe-differences.ts';
import type { FileReport, TestResult } from './test-report.ts';

/** @param msOf how long a test took, in ms */
export function junitReport(reports: readonly FileReport[], msOf: (result: TestResult) => number): string {
  const suites = reports.map((report) => suite(report, msOf));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="rowbench">\n${suites.join('')}</testsuites>\n`;
}

function suite({ file, issues, results }: FileReport, msOf: (result: TestResult) => number): string {
  const failures = results.filter(({ status }) => status === 'failed').length;
  const errors = results.filter(({ status }) => status === 'broken').length + (issues.length > 0 ? 1 : 0);
  const seconds = results.reduce((sum, result) => sum + msOf(result), 0) / 1000;
  const facts = attributes({
    name: file,
    tests: results.length + (issues.length > 0 ? 1 : 0),
    failures,
    errors,
    skipped: 0,
    time: seconds.toFixed(3),
  });
  const texts = issues.map(({ file: of, line, column, message }) => `${of}:${line}:${column}: ${message}`);
  const unreadable =
    issues.length === 0 ? '' : testCase({ name: 'the file', classname: file }, problem('error', texts));
  const cases = results.map((result) =>
    testCase(
      { name: result.name, classname: file, file, line: result.line, time: (msOf(result) / 1000).toFixed(3) },
      outcome(result),
    ),
  );
  return `  <testsuite${facts}>\n${unreadable}${cases.join('')}  </testsuite>\n`;
}

const testCase = (facts: Facts, inside: string): string =>
  inside === ''
    ? `    <testcase${attributes(facts)}/>\n`
    : `    <testcase${attributes(facts)}>\n${inside}    </testcase>\n`;

function outcome(result: TestResult): string {
  if (result.status === 'passed') return '';
  if (result.status === 'broken') return problem('error', [result.error]);
  const lines = describeDifferences(result.differences).map(
    ({ sign, text, depth }) => `${'  '.repeat(depth)}${sign === '' ? text : `${sign} ${text}`}`,
  );
  return problem('failure', lines);
}

const problem = (kind: 'failure' | 'error', lines: readonly string[]): string =>
  `      <${kind}${attributes({
    message: lines
      .slice(0, 3)
      .map((line) => line.trim())
      .join(' '),
  })}>${escaped(lines.join('\n'))}</${kind}>\n`;

type Facts = { readonly [name: string]: string | number };

const attributes = (facts: Facts): string =>
  Object.entries(facts)
    .map(([name, value]) => ` ${name}="${escaped(String(value)).replaceAll('\n', '&#10;')}"`)
    .join('');

/** What XML 1.0 has no way to write, lone surrogates included, becomes the replacement character. */
const unwritable = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const escaped = (text: string): string =>
  text
    .replaceAll(unwritable, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
