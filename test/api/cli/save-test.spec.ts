// `rowbench runs save-test`: a run becomes a test that passes.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { finalStatus, trigger } from '../../builders/api-client.ts';
import { openTestServices } from '../../builders/open-test-services.ts';
import { runCli } from '../../builders/run-cli.ts';
import { startServerProcess } from '../../builders/server-process.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';
import type { RunInputs } from '../../../src-main/services/runs/new-run.ts';

const flow = (more = ''): string => `rowbench: 1
id: flow
${more}nodes:
  - { id: input, type: input }
  - { id: check, type: assert, that: "=row.n !== 3", message: "three is not welcome" }
  - { id: x, type: set, values: { label: small }, mock: { large: { label: large } } }
  - { id: result, type: output, after: [check], fields: { n: "=row.n", label: "=nodes.x.label" } }
`;

/** A run that has ended, in a folder that no server has. */
async function ended(text: string, rows: readonly unknown[], inputs?: RunInputs) {
  const services = await openTestServices({ flow: text });
  const { runId } = await services.start('flow', rows, inputs);
  const status = async (): Promise<string> => (await services.runs.get(runId)).run.status;
  await expect.poll(status, { timeout: 10_000 }).toMatch(/completed|failed/);
  await services.close();
  const { dataDir } = services;
  const folder = join(dataDir, 'workflows');
  const save = (...args: readonly string[]) =>
    runCli(['runs', 'save-test', runId, ...args, '--data', dataDir], { cwd: folder });
  const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');
  const write = (name: string, content: string): Promise<void> => writeFile(join(folder, name), content);
  return { runId, folder, save, read, write, test: () => runCli(['test'], { cwd: folder }) };
}

const rowsTo = (last: number) => Array.from({ length: last }, (_, index) => ({ n: index + 1 }));

describe('a run that completed', () => {
  it('becomes a test beside its workflow, with its mocks, that passes', async () => {
    const { save, read, runId, test } = await ended(flow(), [{ n: 1 }, { n: 2 }], { mocks: { x: 'large' } });
    const name = `rows 1-2 of run ${runId.slice(-8)}`;
    expect(await save()).toEqual({
      code: 0,
      stdout: '',
      stderr: `Saved "${name}" (2 rows) in flow.tests.yaml\nIt passes.\n`,
    });
    expect(await read('flow.tests.yaml')).toBe(`rowbench: 1
tests:
  - name: ${name}
    # From run ${runId}, rows 1-2.
    rows:
      - { n: 1 }
      - { n: 2 }
    mocks:
      x: large
    expect:
      status: completed
      rows:
        - { n: 1, label: large }
        - { n: 2, label: large }
`);
    expect((await test()).stdout).toBe('ok    flow.tests.yaml (1 test)\n');
  });

  it('becomes a test with rows in a file if a row has many levels', async () => {
    const deep = JSON.parse(`${'{"a":'.repeat(97)}1${'}'.repeat(97)}`) as object;
    const { save, folder, test } = await ended(flow(), [{ n: 1, deep }]);
    expect(await save()).toMatchObject({ code: 0, stderr: expect.stringContaining('It passes.') as string });
    expect((await readdir(folder)).filter((name) => name.endsWith('.json'))).toHaveLength(2);
    expect((await test()).code).toBe(0);
  });

  it('goes behind the tests that are there, under a name that none has', async () => {
    const { save, read, write } = await ended(flow(), [{ n: 1 }]);
    const mine = '# mine\ntests:\n  - { name: a, rows: [], expect: { status: completed } } # kept\n';
    await write('flow.tests.yaml', mine);
    expect((await save()).code).toBe(0);
    expect(JSON.parse((await save('--json')).stdout)).toMatchObject({
      name: expect.stringMatching(/^row 1 of run .{8} \(2\)$/) as string,
      passes: true,
      files: [],
    });
    expect((await read('flow.tests.yaml')).startsWith(mine)).toBe(true);
    expect(await save('--name', 'a')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching('has a test of the name "a" already') as string,
    });
  });

  it('may be taken in part, and says that rows get other numbers', async () => {
    const { save, test } = await ended(flow('onRowError: skip\n'), rowsTo(5));
    const { code, stderr } = await save('--rows', '2-3,5', '--name', 'picked');
    expect([code, stderr]).toEqual([0, expect.stringContaining('numbered from 1')]);
    expect((await test()).code).toBe(0);
    expect((await save('--rows', '6')).stderr).toBe('error: The run has no row 6; it has 5 rows\n');
    expect((await save('--rows', 'x')).stderr).toMatch('--rows must be row numbers such as 3,7-9');
  });

  it('of many rows has them in files of their own, and overwrites none', async () => {
    const { save, folder, write, read, test } = await ended(flow('onRowError: skip\n'), rowsTo(30));
    await write('flow.many.rows.json', 'mine');
    expect((await save('--name', 'Many')).stderr).toMatch(
      /^Saved "Many" \(30 rows\) in flow.tests.yaml\n {2}with flow.many-2.rows.json\n {2}with flow.many-2.expected.json\nIt passes.\n$/,
    );
    expect((await readdir(folder)).filter((name) => name.includes('many')).sort()).toEqual([
      'flow.many-2.expected.json',
      'flow.many-2.rows.json',
      'flow.many.rows.json',
    ]);
    expect(await read('flow.many.rows.json')).toBe('mine');
    expect((await read('flow.many-2.expected.json')).split('\n')[3]).toBe('  null,');
    expect((await test()).code).toBe(0);
    expect((await runCli(['validate', '.'], { cwd: folder })).code).toBe(0);
  });

  it('of too many rows is refused', async () => {
    const { save } = await ended(flow('onRowError: skip\n'), rowsTo(1001));
    expect((await save()).stderr).toBe(
      'error: A test is made of at most 1000 rows, and these are 1001 rows: pick fewer of them\n',
    );
    expect((await save('--rows', '1000-1001')).code).toBe(0);
  });

  it('that went by chance is saved, with a warning that it may not pass', async () => {
    const text = flow().replace('"=row.n"', '"=Math.random()"');
    const { save } = await ended(text, [{ n: 1 }]);
    const { code, stderr } = await save('--name', 'by chance');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/FAIL {2}flow.tests.yaml[^]*It does not pass/)]);
    expect(stderr).toContain('test flow.tests.yaml --filter "by chance" --update\n');
  });
});

it('a run that failed becomes a test that fails with its error', async () => {
  const { save, read, test } = await ended(flow(), rowsTo(4));
  expect((await save()).code).toBe(0);
  expect(await read('flow.tests.yaml')).toMatch(
    /status: failed\n +error: .?Node "check" failed on row 3: three is not welcome/,
  );
  expect((await save('--rows', '3', '--name', 'third')).code).toBe(0);
  expect((await test()).stdout).toBe('ok    flow.tests.yaml (2 tests)\n');
  expect((await save('--rows', '1-2')).stderr).toBe(
    'error: The run failed on row 3: a test of it needs that row too\n',
  );
});

it('a run that made calls becomes a test that names a cassette, and says how to record it', async () => {
  const text = `rowbench: 1
id: flow
nodes:
  - { id: input, type: input }
  - { id: ask, type: http, request: { url: "http://127.0.0.1:9/" }, onError: { value: none } }
  - { id: result, type: output, fields: { got: "=nodes.ask" } }
`;
  const { save, read } = await ended(text, [{}]);
  const { code, stderr } = await save('--name', 'calls');
  expect([code, stderr]).toEqual([0, expect.stringContaining('there is no flow.cassette.json yet')]);
  expect(stderr).toContain('test flow.tests.yaml --filter "calls" --record\n');
  expect(stderr).not.toContain('passes');
  expect(await read('flow.tests.yaml')).toContain('cassette: flow.cassette.json\n');
});

describe('no test is made', () => {
  it('of a run that has not ended', async () => {
    const services = await openTestServices({ flow: flow() }, { executes: false });
    const { runId } = await services.start('flow', [{ n: 1 }]);
    await services.close();
    expect(await runCli(['runs', 'save-test', runId, '--data', services.dataDir])).toMatchObject({
      code: 1,
      stderr: 'error: A test is made of a run that is completed or failed; this one is queued\n',
    });
  });

  it('where the workflow is not known, unless a tests file beside it is named', async () => {
    const { save, folder } = await ended(flow(), [{ n: 1 }]);
    const elsewhere = await temporaryFolder();
    await writeFile(join(elsewhere, 'flow.workflow.yaml'), flow());
    await writeFile(join(elsewhere, 'other.workflow.yaml'), flow().replace('id: flow', 'id: other'));
    await rm(join(folder, 'flow.workflow.yaml'));
    expect((await save()).stderr).toMatch('No file of the workflow "flow" is known here');
    expect((await save('--out', join(elsewhere, 'other.tests.yaml'))).stderr).toMatch(
      'cannot hold tests of the workflow "flow"',
    );
    expect((await save('--out', join(elsewhere, 'flow.txt'))).stderr).toMatch('is no tests file');
    const saved = await save('--out', join(elsewhere, 'flow.more.tests.yaml'));
    expect([saved.code, saved.stderr]).toEqual([0, expect.stringContaining('It passes.')]);
  });

  it('into a tests file with errors', async () => {
    const { save, write, read } = await ended(flow(), [{ n: 1 }]);
    await write('flow.tests.yaml', 'tests: 5\n');
    expect((await save()).stderr).toMatch('has errors');
    expect(await read('flow.tests.yaml')).toBe('tests: 5\n');
  });
});

it('a running server hands the rows out, and the command writes', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'flow.workflow.yaml'), flow());
  const dataDir = join(folder, 'data');
  const server = await startServerProcess({ dataDir, workflows: folder });
  onTestFinished(() => server.kill());
  const runId = await trigger(server.url, 'flow', [{ n: 1, name: 'Grüße, "x"' }]);
  await finalStatus(server.url, { workflowId: 'flow', runId });
  const { code, stderr } = await runCli(['runs', 'save-test', runId, '--data', dataDir]);
  expect([code, stderr]).toEqual([0, expect.stringContaining('It passes.')]);
  expect(await readFile(join(folder, 'flow.tests.yaml'), 'utf8')).toContain('n: 1, name: \'Grüße, "x"\' }');
});
