// The results as JUnit XML, which CI systems show: a suite for each file, a case for each test.
import { describeDifferences } from './describe-differences.ts';
import type { FileReport, TestResult } from './test-report.ts';

type JunitOptions = {
  /** Time that a test took, in ms. */
  readonly msOf: (result: TestResult) => number;
  /** When the tests began: ISO 8601. */
  readonly startedAt: string;
};

/** The totals stand at the root and at each file's suite. */
export function junitReport(reports: readonly FileReport[], options: JunitOptions): string {
  const root = attributes({ name: 'rowbench', ...totals(reports, options) });
  const suites = reports.map((report) => suite(report, options));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${root}>\n${suites.join('')}</testsuites>\n`;
}

/** A file that cannot be read counts as one test in error. */
function totals(reports: readonly FileReport[], { msOf, startedAt }: JunitOptions): Attributes {
  const results = reports.flatMap((report) => report.results);
  const unreadable = reports.filter(({ issues }) => issues.length > 0).length;
  return {
    tests: results.length + unreadable,
    failures: results.filter(({ status }) => status === 'failed').length,
    errors: results.filter(({ status }) => status === 'broken').length + unreadable,
    skipped: 0,
    timestamp: startedAt,
    time: (results.reduce((sum, result) => sum + msOf(result), 0) / 1000).toFixed(3),
  };
}

function suite(report: FileReport, options: JunitOptions): string {
  const { file, issues, results } = report;
  const { msOf } = options;
  const suite = attributes({ name: file, ...totals([report], options) });
  const texts = issues.map(({ file: of, line, column, message }) => `${of}:${line}:${column}: ${message}`);
  const unreadable =
    issues.length === 0 ? '' : testCase({ name: 'the file', classname: file }, problem('error', texts));
  const cases = results.map((result) =>
    testCase(
      { name: result.name, classname: file, file, line: result.line, time: (msOf(result) / 1000).toFixed(3) },
      outcome(result),
    ),
  );
  return `  <testsuite${suite}>\n${unreadable}${cases.join('')}  </testsuite>\n`;
}

const testCase = (values: Attributes, inside: string): string =>
  inside === ''
    ? `    <testcase${attributes(values)}/>\n`
    : `    <testcase${attributes(values)}>\n${inside}    </testcase>\n`;

function outcome(result: TestResult): string {
  if (result.status === 'passed') return '';
  if (result.status === 'broken') return problem('error', [result.error]);
  const lines = describeDifferences(result.differences, { more: result.more }).map(
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

type Attributes = { readonly [name: string]: string | number };

const attributes = (values: Attributes): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(String(value)).replaceAll('\n', '&#10;')}"`)
    .join('');

/** Characters that XML 1.0 cannot hold, lone surrogates included. They become the replacement character. */
const unwritable = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const escaped = (text: string): string =>
  text
    .replaceAll(unwritable, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
