// Rules of a test beside exact outputs: what fields are like, scores, and repeated runs.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { TestBench } from '../../../src-main/services/tests/test-bench.ts';
import { TestCalls, offlineCassettes } from '../../../src-main/services/tests/test-calls.ts';
import { loadTests } from '../../../src-main/services/tests/load-tests.ts';
import { runTests } from '../../../src-main/services/tests/run-tests.ts';
import { systemClock } from '../../../src-main/base/system-clock.ts';
import { parserInProcess } from '../../../src-main/services/workflows/file-parser.ts';
import { testPool } from '../../builders/execution-rig.ts';
import { runCli } from '../../builders/run-cli.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const workerScript = fileURLToPath(new URL('../../../dist/row-worker.cjs', import.meta.url));

const flow = `rowbench: 1
id: flow
onRowError: skip
nodes:
  - { id: input, type: input }
  - id: made
    type: code
    code: |
      if (row.n === 99) throw new Error('no');
      return { score: row.n * 10, at: Math.random() };
  - id: result
    type: output
    fields:
      email: =row.email
      tier: "=row.n > 2 ? 'hot' : 'cold'"
      price: =0.1 + row.n
      made: =nodes.made
      items: "=[{ sku: 'a', at: Math.random() }]"
`;

const scorer = `rowbench: 1
id: answer-score
nodes:
  - { id: input, type: input, fields: { row: { type: object }, output: { type: object } } }
  - id: rate
    type: code
    code: return row.output.made.score / 40;
  - { id: result, type: output, fields: { score: =nodes.rate } }
`;

const rows = `[{ n: 1, email: a@x.example }, { n: 99 }, { n: 3, email: b@x.example }]`;

async function tested(test: string, more: Record<string, string> = {}) {
  const cwd = await temporaryFolder();
  const text = `tests:\n  - name: t\n    rows: ${rows}\n${test}`;
  const files = { 'flow.workflow.yaml': flow, 'flow.tests.yaml': text, ...more };
  for (const [name, content] of Object.entries(files)) await writeFile(join(cwd, name), content);
  const run = (...args: readonly string[]) => runCli(['test', ...args], { cwd });
  return { ...(await run()), cwd, run, text, read: () => readFile(join(cwd, 'flow.tests.yaml'), 'utf8') };
}

it('rules hold for each row with an output, and over all of them', async () => {
  const { code, stdout } = await tested(`    expect:
      status: completed
      ignore: [made.at, items.at]
      tolerance: 0.001
      rows:
        - { email: a@x.example, tier: cold, price: 1.1, made: { score: 10 }, items: [{ sku: a }] }
        - null
        - { email: b@x.example, tier: hot, price: 3.1005, made: { score: 30 }, items: [{ sku: a }] }
      fields:
        email: { matches: '^\\w+@', unique: true, notNull: true }
        tier: { oneOf: [hot, cold], share: { of: hot, between: [0.4, 0.6] } }
        made.score: { between: [0, 100], that: value === row.n * 10 && output.tier.length > 2 }
        items: { schema: { type: array, items: { type: object, required: [sku] } } }
      score: { expression: output.made.score, atLeast: 10 }
`);
  expect(stdout).toBe('ok    flow.tests.yaml (1 test)\n');
  expect(code).toBe(0);
});

it('names each rule that does not hold, its row and what is there', async () => {
  const { code, stdout, run, text, read } = await tested(`    expect:
      status: completed
      fields:
        email: { matches: '^a', notNull: true }
        tier: { share: { of: hot, between: [0.8, 1] } }
        made.score: { between: [20, 100], that: 'row.none.length > 0' }
        nothing: { notNull: true, unique: true }
      score: { expression: output.made.score / 100, atLeast: 0.2, share: 0.9 }
`);
  expect(code).toBe(1);
  expect(stdout).toBe(`FAIL  flow.tests.yaml (1 of 1 test)

  flow.tests.yaml:2: t
    - expected  + actual
    row 3
      email
        - matches ^a
        + "b@x.example"
    all rows
      tier
        - "hot" in 80 % to 100 % of the rows
        + 1 of 2 rows (50 %)
    row 1
      made.score
        - between 20 and 100
        + 10
      made.score
        - that row.none.length > 0
        + 10 (Cannot read properties of undefined (reading 'length'))
    row 3
      made.score
        - that row.none.length > 0
        + 30 (Cannot read properties of undefined (reading 'length'))
    row 1
      nothing
        - not null
        + nothing
    row 3
      nothing
        - not null
        + nothing
    all rows
      nothing
        - unique
        + null in rows 1, 3
      score
        - a score of at least 0.2 in 90 % of the rows
        + 1 of 2 rows (50 %); not in row 1

`);
  const json = JSON.parse((await run('--json')).stdout) as {
    files: { tests: { differences: unknown[] }[] }[];
  };
  expect(json.files[0]?.tests[0]?.differences.slice(0, 2)).toEqual([
    { what: 'fields', row: 3, field: 'email', rule: 'matches ^a', found: '"b@x.example"' },
    {
      what: 'fields',
      field: 'tier',
      rule: '"hot" in 80 % to 100 % of the rows',
      found: '1 of 2 rows (50 %)',
    },
  ]);
  // What came cannot become a rule.
  expect((await run('--update')).code).toBe(1);
  expect(await read()).toBe(text);
});

it('rules fail where no row has an output, in words, in JSON and in JUnit', async () => {
  const failing = `tests:
  - name: rules
    rows: [{ n: 99 }, { n: 99 }]
    expect:
      status: completed
      fields: { made: { matches: '^NEVER', notNull: true, unique: true, share: { of: 1, between: [0, 1] } } }
  - name: score
    rows: [{ n: 99 }]
    expect: { status: completed, score: { expression: output.made.score, atLeast: 1 } }
  - name: no rows
    rows: []
    expect: { status: completed, fields: { made: { between: [1, 2] } } }
  - name: nothing at all
    rows: []
    expect: { status: completed }
  - name: says so itself
    rows: [{ n: 99 }, { n: 99 }]
    expect: { status: completed, rows: [null, null] }
  - name: an empty run
    rows: []
    expect: { status: completed, rows: [] }
  - name: an empty run with a file of expected rows
    rows: []
    expect: { status: completed, rows: none.json }
`;
  const files = { 'flow.tests.yaml': failing, 'none.json': '[]' };
  const { code, stdout, run, cwd } = await tested('', files);
  expect(code).toBe(1);
  expect(stdout).toContain('FAIL  flow.tests.yaml (4 of 7 tests)');
  const first = 'failed, first: Node "made" failed on row 1: Error: no';
  for (const [field, reason] of [
    ['fields', `no row has an output: 2 ${first}`],
    ['score', `no row has an output: 1 ${first}`],
    ['fields', 'no row has an output: the test has no rows'],
  ])
    expect(stdout).toContain(`
    all rows
      ${field}
        - a row with an output
        + ${reason}
`);
  expect(stdout).toContain('      - a row to run\n      + the test has no rows\n');
  const json = (await run('--json')).stdout;
  expect(json).toContain(`"found": ${JSON.stringify(`no row has an output: 2 ${first}`)}`);
  await run('--junit', 'results.xml');
  const xml = await readFile(join(cwd, 'results.xml'), 'utf8');
  expect(xml).toContain('tests="7" failures="4"');
  expect(xml).toContain(
    'no row has an output: 2 failed, first: Node &quot;made&quot; failed on row 1: Error: no',
  );
});

it('a workflow beside it can give the score', async () => {
  const { stdout } = await tested(
    `    expect: { status: completed, score: { workflow: answer-score, atLeast: 0.5 } }\n`,
    { 'answer-score.workflow.yaml': scorer },
  );
  expect(stdout).toContain(`
    row 1
      score
        - a score of at least 0.5
        + a score of 0.25
`);
  expect(stdout).not.toContain('row 3');
  const missing = await tested(
    `    expect: { status: completed, score: { workflow: gone, atLeast: 0.5 } }\n`,
  );
  expect(missing.stdout).toContain('there is no workflow "gone"');
});

it('a slow pattern ends with the time limit of a row, and harms no other test', async () => {
  const folder = await temporaryFolder();
  const texts = {
    'flow.workflow.yaml': flow,
    'flow.tests.yaml': `tests:
  - name: slow
    rows: [{ n: 1, email: "${'a'.repeat(40)}!" }]
    expect: { status: completed, fields: { email: { matches: '^(a+)+$' } } }
  - name: fine
    rows: [{ n: 1 }]
    expect: { status: completed, fields: { made.score: { between: [10, 10] } } }
`,
  };
  for (const [name, content] of Object.entries(texts)) await writeFile(join(folder, name), content);
  const pool = testPool({ timeLimitMs: 300, graceMs: 100 });
  const bench = new TestBench(workerScript, parserInProcess, { lent: { pool, planKey: 'tests' } });
  onTestFinished(() => bench.close());
  const [done] = await runTests([await loadTests(join(folder, 'flow.tests.yaml'))], {
    bench,
    calls: new TestCalls({ clock: systemClock, openCassette: offlineCassettes(folder, systemClock) }),
    clock: systemClock,
    signal: new AbortController().signal,
    wants: () => true,
  });
  expect(done?.done.map(({ result }) => result)).toMatchObject([
    { status: 'failed', differences: [{ found: expect.stringContaining('(it took too long') as string }] },
    { status: 'passed' },
  ]);
});

it('repeats have seeds of their own, the same each time, and a rate that must pass', async () => {
  const repeated = (passRate: number) => `    repeat: { times: 20, passRate: ${passRate} }
    expect: { status: completed, fields: { made.at: { that: value < 0.7 } } }
`;
  const first = await tested(repeated(1));
  expect(first.stdout).toMatch(
    /repeat\n {6}- 100 % of 20 runs pass\n {6}\+ \d+ of 20 passed; the first that failed:/,
  );
  expect((await tested(repeated(1))).stdout).toBe(first.stdout);
  expect((await tested(repeated(0.1))).stdout).toBe('ok    flow.tests.yaml (1 test)\n');
});

const problemsOf = async (part: string): Promise<string> =>
  (await tested(`    expect: { status: completed, ${part} }\n`)).stdout;

it('mistakes in rules have a line and say what is meant', async () => {
  const { code, stdout } = await tested(`    expect:
      status: completed
      fields:
        a: { matches: '(' }
        b: { between: [3, 1] }
        c: { that: valeu > 1 }
        d: { schema: { type: string, pattern: x } }
        e: {}
      score: { expression: item, atLeast: 1 }
`);
  expect(await problemsOf('fields: {}')).toContain('Expected a field with its rules');
  expect(await problemsOf('score: { expression: row.n, atLeast: 1, share: 0 }')).toContain(
    'Expected more than 0',
  );
  expect(await problemsOf('trace: [{ row: 1, nodes: {} }]')).toContain('Expected a node');
  expect(
    (await tested(`    repeat: { times: 2, passRate: 0 }\n    expect: { status: completed }\n`)).stdout,
  ).toContain('Expected more than 0');
  expect(code).toBe(1);
  expect(stdout.split('\n').map((line) => line.trim().replace('flow.tests.yaml:', ''))).toEqual([
    'FAIL  flow.tests.yaml',
    '7:23: This is not a regular expression',
    '8:23: The first number must not be greater than the second',
    '9:20: Unknown name "valeu"; did you mean "value"?',
    '10:22: A schema in a test has no "pattern": use the rule "matches"',
    '11:12: Expected a rule, such as "between"',
    '12:28: "item" exists only in a node with "each"',
    '',
  ]);
  const alone = await tested(`    expect: { status: completed, tolerance: 0.1 }\n`);
  expect(alone.stdout).toContain('flow.tests.yaml:4:45: There are no "rows" to compare');
});
