import { expect, it } from 'vitest';
import { junitReport } from '../../../../src-main/domain/tests/junit-report.ts';
import type { FileReport } from '../../../../src-main/domain/tests/test-report.ts';

const reports: FileReport[] = [
  {
    file: 'a.tests.yaml',
    issues: [],
    results: [
      { name: 'good', line: 3, status: 'passed' },
      {
        name: 'a "quoted" <name> & \u0000\ud800',
        line: 9,
        status: 'failed',
        differences: [{ what: 'rows', path: [0, 'n'], expected: 1, actual: '<2>' }],
      },
      { name: 'gone', line: 20, status: 'broken', error: 'no such file' },
    ],
  },
  {
    file: 'b.tests.yaml',
    issues: [{ file: 'b.tests.yaml', severity: 'error', message: 'Missing key "tests"', line: 1, column: 1 }],
    results: [],
  },
];

it('is JUnit XML with everything escaped that XML could take for its own', () => {
  expect(junitReport(reports, { msOf: () => 1500, startedAt: '2026-01-01T00:00:00.000Z' }))
    .toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="rowbench" tests="4" failures="1" errors="2" skipped="0" timestamp="2026-01-01T00:00:00.000Z" time="4.500">
  <testsuite name="a.tests.yaml" tests="3" failures="1" errors="1" skipped="0" timestamp="2026-01-01T00:00:00.000Z" time="4.500">
    <testcase name="good" classname="a.tests.yaml" file="a.tests.yaml" line="3" time="1.500"/>
    <testcase name="a &quot;quoted&quot; &lt;name&gt; &amp; \ufffd\ufffd" classname="a.tests.yaml" file="a.tests.yaml" line="9" time="1.500">
      <failure message="row 1 n - 1">row 1
  n
    - 1
    + &quot;&lt;2&gt;&quot;</failure>
    </testcase>
    <testcase name="gone" classname="a.tests.yaml" file="a.tests.yaml" line="20" time="1.500">
      <error message="no such file">no such file</error>
    </testcase>
  </testsuite>
  <testsuite name="b.tests.yaml" tests="1" failures="0" errors="1" skipped="0" timestamp="2026-01-01T00:00:00.000Z" time="0.000">
    <testcase name="the file" classname="b.tests.yaml">
      <error message="b.tests.yaml:1:1: Missing key &quot;tests&quot;">b.tests.yaml:1:1: Missing key &quot;tests&quot;</error>
    </testcase>
  </testsuite>
</testsuites>
`);
});
