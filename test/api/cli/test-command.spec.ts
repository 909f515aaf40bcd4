import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli, type CliResult } from '../../builders/run-cli.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const workflow = `rowbench: 1
id: flow
nodes:
  - { id: input, type: input, fields: { n: { type: number } } }
  - { id: pause, type: delay, for: 24h }
  - { id: x, type: set, values: { label: small }, mock: { large: { label: large } } }
  - { id: result, type: output, after: pause, fields: { n: =row.n, label: =nodes.x.label } }
`;

const passing = `tests:
  - name: gives a label
    rows: [{ n: 1 }]
    expect: { status: completed, rows: [{ n: 1, label: small }] }
  - name: gives another label
    rows: rows.csv
    mocks: { x: large }
    expect: { status: completed, rows: [{ n: 2, label: large }] }
`;

async function folderWith(tests: string, more: Record<string, string> = {}) {
  const cwd = await temporaryFolder();
  const files = { 'flow.workflow.yaml': workflow, 'flow.tests.yaml': tests, 'rows.csv': 'n\n2\n', ...more };
  for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text);
  const test = (...args: readonly string[]): Promise<CliResult> => runCli(['test', ...args], { cwd });
  const read = (name: string): Promise<string> => readFile(join(cwd, name), 'utf8');
  return { cwd, test, read };
}

describe('rowbench test', () => {
  it('runs every tests file below the folder, a day of delays in no time', async () => {
    const { cwd, test } = await folderWith(passing);
    await mkdir(join(cwd, 'more'));
    await writeFile(join(cwd, 'more/flow.workflow.yaml'), workflow);
    await writeFile(join(cwd, 'more/flow.slow.tests.yaml'), passing.replace('rows.csv', '[{ n: 2 }]'));
    const { code, stdout, stderr } = await test();
    expect(stdout).toBe('ok    flow.tests.yaml (2 tests)\nok    more/flow.slow.tests.yaml (2 tests)\n');
    expect(stderr).toMatch(/^4 tests passed in \S+ m?s\n$/);
    expect(code).toBe(0);
  });

  it('runs the tests of a workflow file, and names the file that they belong in where there are none', async () => {
    const { cwd, test } = await folderWith(passing);
    await writeFile(join(cwd, 'flow.large.tests.yaml'), passing);
    await writeFile(join(cwd, 'other.workflow.yaml'), workflow.replace('id: flow', 'id: other'));
    const { code, stdout } = await test('flow.workflow.yaml');
    expect(stdout).toBe('ok    flow.large.tests.yaml (2 tests)\nok    flow.tests.yaml (2 tests)\n');
    expect(code).toBe(0);
    const none = await test('other.workflow.yaml');
    expect([none.code, none.stderr]).toEqual([
      2,
      'error: other.workflow.yaml has no tests yet: they belong in other.tests.yaml\n',
    ]);
  });

  it('prints the remarks about a file of rows and passes, unless the test is strict or says how it is read', async () => {
    const rows = { 'rows.csv': 'Title\n\nn;m\n2;1\n' };
    const { code, stdout } = await (await folderWith(passing, rows)).test();
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(
        /^ok {4}flow\.tests\.yaml \(2 tests\)\n {8}rows\.csv: .*header in line 3/,
      ) as string,
    ]);
    const strict = passing.replace('rows.csv', '{ file: rows.csv, strict: true }');
    const refused = await (await folderWith(strict, rows)).test();
    expect([refused.code, refused.stdout]).toEqual([
      1,
      expect.stringContaining('an error with `strict: true`') as string,
    ]);
    const exact = strict.replace('strict: true', "header: 3, delimiter: ';', strict: true");
    const read = await (await folderWith(exact, rows)).test();
    expect([read.code, read.stdout]).toEqual([0, 'ok    flow.tests.yaml (2 tests)\n']);
  });

  it('shows what differs by row and field, without colour in a pipe, and ends with 1', async () => {
    const { test } = await folderWith(passing.replace('n: 2, label: large', 'n: 2, label: huge'));
    const { code, stdout, stderr } = await test();
    expect(stdout).toBe(`FAIL  flow.tests.yaml (1 of 2 tests)

  flow.tests.yaml:5: gives another label
    - expected  + actual
    row 1
      label
        - "huge"
        + "large"

`);
    expect(stderr).toMatch(/^1 test passed, 1 failed in /);
    expect(code).toBe(1);
  });

  it('runs only tests with a text in their name', async () => {
    const { test } = await folderWith(passing);
    expect((await test('--filter', 'ANOTHER')).stdout).toBe('ok    flow.tests.yaml (1 test)\n');
    const none = await test('--filter', 'nothing');
    expect([none.code, none.stderr]).toEqual([2, 'error: no test in 1 file has "nothing" in its name\n']);
  });

  it('prints JSON alone, with rows counted from 1', async () => {
    const { test } = await folderWith(passing.replace('label: small }] }', 'label: big }] }'));
    const { code, stdout } = await test('--json');
    expect(JSON.parse(stdout)).toEqual({
      passed: 1,
      failed: 1,
      files: [
        {
          file: 'flow.tests.yaml',
          issues: [],
          tests: [
            {
              name: 'gives a label',
              line: 2,
              status: 'failed',
              differences: [{ what: 'rows', row: 1, field: 'label', expected: 'big', actual: 'small' }],
            },
            { name: 'gives another label', line: 5, status: 'passed' },
          ],
        },
      ],
    });
    expect(code).toBe(1);
  });

  it('writes JUnit XML beside its words', async () => {
    const { test, read } = await folderWith(passing);
    expect((await test('--junit', 'results.xml')).stdout).toContain('ok');
    expect(await read('results.xml')).toMatch(/<testsuite name="flow.tests.yaml" tests="2" failures="0"/);
  });

  it('lets failed tests expect what came', async () => {
    const wrong = passing.replace('label: large }] }', 'label: huge }] } # size');
    const { test, read } = await folderWith(wrong);
    const { code, stderr } = await test('--update');
    expect([code, stderr]).toEqual([0, expect.stringContaining('updated flow.tests.yaml\n') as string]);
    expect(await read('flow.tests.yaml')).toBe(wrong.replace('huge', 'large'));
    expect((await test()).code).toBe(0);
  });
});

describe('expected rows in a file', () => {
  const tests = `tests:
  - name: gives a label
    rows: [{ n: 1 }]
    expect: { status: completed, rows: flow.expected.json }
`;

  it('are held against the outputs, and updated with them', async () => {
    const { test, read } = await folderWith(tests, { 'flow.expected.json': '[{ "n": 1, "label": "big" }]' });
    expect((await test()).stdout).toContain('- "big"\n        + "small"');
    const updated = await test('--update');
    expect([updated.code, updated.stderr]).toEqual([
      0,
      expect.stringMatching(/^1 test passed.*\nupdated flow.expected.json\n$/),
    ]);
    expect(await read('flow.expected.json')).toBe('[\n  {"n":1,"label":"small"}\n]\n');
    expect(await read('flow.tests.yaml')).toBe(tests);
    expect((await test()).code).toBe(0);
  });

  it.each([
    ['[5]', 'flow.expected.json is no list of outputs: objects in JSON, null for a row without one'],
    ['{', 'flow.expected.json is no list of outputs'],
    ['{"rows":[{"n":1}]}', 'flow.expected.json is no list of outputs'],
    ['[{"label":"a\nb"}]', 'flow.expected.json is no list of outputs'],
    ['[{"n":1}', 'flow.expected.json is no list of outputs'],
    [`[{"n":${'['.repeat(600)}1${']'.repeat(600)}}]`, 'flow.expected.json is no list of outputs'],
  ])('must be a list of outputs, unlike %s', async (text, message) => {
    const { test } = await folderWith(tests, { 'flow.expected.json': text });
    const { code, stdout } = await test();
    expect([code, stdout]).toEqual([1, expect.stringContaining(message)]);
  });
});

it('a test may go through a scenario', async () => {
  const { test } = await folderWith(`tests:
  - name: fails on purpose
    rows: [{ n: 1 }, { n: 2 }]
    scenario: fail-row=2, slow=1h
    expect: { status: failed, error: 'failed on row 2: scenario fail-row' }
`);
  expect(await test()).toMatchObject({ code: 0, stdout: 'ok    flow.tests.yaml (1 test)\n' });
});

describe('rowbench test refuses', () => {
  it.each([
    [
      'a file with issues, each at its place',
      passing.replace('mocks: { x: large }', 'mocks: { x: larg }'),
      {},
      '  flow.tests.yaml:7:17: The node "x" has no mock "larg" (did you mean "large"?); it has large\n',
    ],
    [
      'a workflow with errors',
      passing,
      { 'flow.workflow.yaml': workflow.replace('type: delay', 'type: dela') },
      '  flow.workflow.yaml:5:24: Unknown node type "dela" (did you mean "delay"?)',
    ],
    ['a missing rows file', passing.replace('rows.csv', 'gone.csv'), {}, 'no such file'],
    ['a file without rows', passing, { 'rows.csv': 'n\n' }, 'rows.csv: there are no rows in it'],
    ['a cell that does not fit', passing, { 'rows.csv': 'n\ntwo\n' }, 'failed on row 1: n: '],
  ])('%s', async (_, tests, more, words) => {
    const { test } = await folderWith(tests, more);
    const { code, stdout } = await test();
    expect([code, stdout]).toEqual([1, expect.stringContaining(words) as string]);
    expect(stdout).toMatch(/^FAIL/);
  });

  it('a tests file without its workflow', async () => {
    const { test } = await folderWith(passing, { 'lonely.tests.yaml': passing });
    const { code, stdout, stderr } = await test();
    expect(stdout).toContain('There is no workflow beside this file: expected lonely.workflow.yaml');
    expect(stderr).toMatch(/^2 tests passed, 1 failed/);
    expect(code).toBe(1);
  });

  it('a folder without tests, and a file that holds none', async () => {
    const { test } = await folderWith(passing);
    const cwd = await temporaryFolder();
    const empty = await runCli(['test'], { cwd });
    expect([empty.code, empty.stderr]).toEqual([
      1,
      'error: no tests files found (*.tests.yaml, .yml or .json)\n',
    ]);
    await mkdir(join(cwd, 'none'));
    await writeFile(join(cwd, 'flow.workflow.yaml'), 'rowbench: 1\n');
    await writeFile(join(cwd, 'flow.tests.yaml'), passing);
    const [one, checked] = await Promise.all([
      runCli(['test', '.', 'none'], { cwd }),
      runCli(['validate', '.', 'none'], { cwd }),
    ]);
    expect([one.code, one.stderr]).toEqual([
      2,
      'error: none has no tests files (*.tests.yaml, .yml or .json)\n',
    ]);
    expect([checked.code, checked.stderr]).toEqual([
      2,
      'error: none has no workflow files and no tests files\n',
    ]);
    const gone = await test('nowhere');
    expect([gone.code, gone.stderr]).toEqual([2, 'error: nowhere: no such file or folder\n']);
    const other = await test('rows.csv');
    expect([other.code, other.stderr]).toEqual([
      2,
      expect.stringContaining('rows.csv is not a tests file') as string,
    ]);
  });
});
