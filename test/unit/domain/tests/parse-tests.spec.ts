import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { parseTests } from '../../../../src-main/domain/tests/parse-tests.ts';
import { parseWorkflow } from '../../../../src-main/domain/workflow/parse-workflow.ts';
import { workflowText } from '../../../builders/workflow-text.ts';

const { workflow } = parseWorkflow(
  workflowText('\n  - { id: x, type: set, values: { a: 1 }, mock: { small: 1, large: 2 } }'),
);

const issuesOf = (text: string): string[] =>
  parseTests(text, workflow).issues.map(({ line, column, message }) => `${line}:${column} ${message}`);

const fileWith = (test: string): string =>
  `tests:\n  - name: a\n${test.replace(/^\n/, '').replace(/^/gm, '    ')}\n`;

describe('a tests file', () => {
  it('gives its tests with what they leave out', () => {
    const text = `rowbench: 1
tests:
  - name: first
    rows: [{ a: 1 }]
    expect: { status: completed, rows: [{ b: 2 }, null] }
  - name: second
    rows: rows.csv
    mocks: { x: small }
    clock: real
    expect: { status: failed, error: boom }
`;
    expect(parseTests(text, workflow)).toEqual({
      issues: [],
      tests: [
        {
          name: 'first',
          index: 0,
          line: 3,
          rows: [{ a: 1 }],
          mocks: {},
          clock: 'virtual',
          expect: { status: 'completed', contains: false, rows: [{ b: 2 }, null] },
        },
        {
          name: 'second',
          index: 1,
          line: 6,
          rows: { file: 'rows.csv', read: {} },
          mocks: { x: 'small' },
          clock: 'real',
          expect: { status: 'failed', contains: false, error: 'boom' },
        },
      ],
    });
  });

  it('may say how its file of rows is read', () => {
    const rows = (written: string) =>
      parseTests(`tests:\n  - name: a\n    rows: ${written}\n    expect: { status: completed }\n`);
    expect(
      rows(
        '{ file: a.csv, header: 1-2, delimiter: tab, decimal: ",", dates: dmy, quote: none, strict: true }',
      ),
    ).toMatchObject({
      tests: [
        {
          rows: {
            file: 'a.csv',
            read: {
              header: { first: 1, last: 2 },
              delimiter: '\t',
              decimal: ',',
              dates: 'dmy',
              quote: 'none',
              strict: true,
            },
          },
        },
      ],
      issues: [],
    });
    expect(rows('{ file: a.csv, header: 3 }').tests).toMatchObject([
      { rows: { read: { header: { first: 3, last: 3 } } } },
    ]);
    const problemOf = (written: string) => rows(written).issues.map(({ line, message }) => [line, message]);
    expect(problemOf('{ file: a.csv, header: 3-1 }')).toEqual([
      [3, expect.stringContaining('header must be the line that names the columns') as string],
    ]);
    expect(problemOf('{ file: a.csv, delimter: x }')).toEqual([
      [3, 'Unknown key "delimter" (did you mean "delimiter"?)'],
    ]);
    expect(problemOf('{ file: ../a.csv }')).toEqual([
      [3, expect.stringContaining('a file beside this one') as string],
    ]);
  });

  it('may go through a scenario, and have its expected rows in a file', () => {
    const text = fileWith(
      'rows: []\nscenario: 429 storm\nexpect: { status: completed, rows: a.expected.json }',
    );
    expect(parseTests(text).tests).toMatchObject([
      { scenario: { 'upstream-429': 0.3 }, expect: { rows: 'a.expected.json' } },
    ]);
  });

  it('can be JSON', () => {
    const text = JSON.stringify({ tests: [{ name: 'a', rows: [], expect: { status: 'completed' } }] });
    expect(parseTests(text).tests).toHaveLength(1);
  });

  it.each([
    [
      'an unknown key',
      'rows: []\nexpect: { status: completed }\nclok: real',
      '5:5 Unknown key "clok" (did you mean "clock"?)',
    ],
    [
      'an unknown key inside',
      'rows: []\nexpect: { status: completed, row: [] }',
      '4:34 Unknown key "row" (did you mean "rows"?)',
    ],
    ['a missing key', 'rows: []', '2:5 Missing key "expect"'],
    [
      'a wrong status',
      'rows: []\nexpect: { status: complete }',
      '4:23 Expected one of completed, failed (did you mean "completed"?)',
    ],
    [
      'a row that is none',
      'rows: [5]\nexpect: { status: completed }',
      '3:12 Expected a row: names with values',
    ],
    [
      'an output that is none',
      'rows: []\nexpect: { status: completed, rows: [text] }',
      '4:41 Expected an output: names with values, or null for a row without one',
    ],
    [
      'outputs of a failed run',
      'rows: []\nexpect: { status: failed, rows: [] }',
      '4:37 A failed run has no outputs',
    ],
    [
      'an error of a completed run',
      'rows: []\nexpect: { status: completed, error: x }',
      '4:41 A completed run has no error',
    ],
    [
      'a rows file elsewhere',
      'rows: ../rows.json\nexpect: { status: completed }',
      '3:11 Expected a file beside this one: a relative path with "/" and without ".."',
    ],
    [
      'expected rows of another kind of file',
      'rows: []\nexpect: { status: completed, rows: a.csv }',
      '4:40 Expected a file whose name ends in ".json"',
    ],
    [
      'a scenario that is none',
      'rows: []\nscenario: slwo=1s\nexpect: { status: completed }',
      '4:15 The scenario cannot be read: there is no "slwo" (did you mean "slow"?)',
    ],
    [
      'a scenario of a life that tests do not have',
      'rows: []\nscenario: paused midway\nexpect: { status: completed }',
      '4:15 The scenario cannot be read: a test has no "pause-at"',
    ],
    [
      'a mock of no node',
      'rows: []\nmocks: { y: small }\nexpect: { status: completed }',
      '4:14 There is no node "y" (did you mean "x"?)',
    ],
    [
      'a mock that the node lacks',
      'rows: []\nmocks: { x: smal }\nexpect: { status: completed }',
      '4:17 The node "x" has no mock "smal" (did you mean "small"?); it has small, large',
    ],
  ])('refuses %s at its place', (_, test, issue) => {
    expect(issuesOf(fileWith(test))).toEqual([issue]);
  });

  it('reports all issues at once, in the order of the file', () => {
    const text = `tests:\n  - { name: a, rows: [1], expect: {} }\n  - { name: b, rows: [], expect: { status: x } }\n`;
    expect(issuesOf(text).map((issue) => issue.split(' ')[0])).toEqual(['2:23', '2:35', '3:44']);
  });

  it('has each name once', () => {
    const test = '{ name: a, rows: [], expect: { status: completed } }';
    expect(issuesOf(`tests:\n  - ${test}\n  - ${test}\n`)).toEqual([
      '3:13 The name "a" is already taken by the test in line 2',
    ]);
  });

  it('is refused when a later format made it', () => {
    expect(issuesOf('rowbench: 2\nanything: else\n')).toEqual([
      '1:11 The file has format version 2: a newer Rowbench is needed',
    ]);
  });

  it('never throws, whatever the text', () => {
    const piece = fc.constantFrom(
      'tests:',
      '\n  - ',
      'name: a',
      'rows: ',
      '[',
      ']',
      '{',
      '}',
      'expect: ',
      ': ',
      '\n',
      '"',
      '*a',
      '|',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 30 }), (pieces) => {
        const { tests, issues } = parseTests(pieces.join(''), workflow);
        expect(tests === undefined).toBe(issues.length > 0);
      }),
    );
  });
});
