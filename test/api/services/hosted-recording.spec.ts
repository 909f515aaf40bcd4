// Recorded answers of a hosted service: a workflow file that answers in its place, and never with a wrong answer.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { hostedWorkflow } from '../../../src-main/domain/hosted/recorded-files.ts';
import {
  addProd,
  hostedClock,
  leadRows,
  outputsOf,
  startThere,
  startTwin,
  untilStatus,
  type Twin,
} from '../../builders/hosted-twin.ts';
import { runCli } from '../../builders/run-cli.ts';
import { seededRandom } from '../../builders/seeded-random.ts';
import { outputPath, startTestApp, statusPath } from '../../builders/start-test-app.ts';
import { startFakeHosted } from '../../builders/fake-hosted.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

type Row = Readonly<Record<string, unknown>>;

const stub = hostedWorkflow('sample', 'Sample');

/** Values of all kinds, at several depths; the output has absent fields, null and numbers as texts. */
const deepRows: readonly Row[] = leadRows(50).map((row, index) => ({
  ...row,
  company: { name: `Größe ${index}`, tags: ['a', index % 7, null, { deep: [index] }] },
  '10': index % 2 === 0,
  ...(index % 3 === 0 ? { note: null } : {}),
}));

const deepScore = (row: Row) => ({
  id: row['id'],
  score: Number(row['n']) / 8,
  '2': [row['company'], '9007199254740993'],
  ...('note' in row ? { note: row['note'] } : {}),
});

const record = ({ app }: Pick<Twin, 'app'>, choice = {}) =>
  app.handlers['hosted.record']({ workflowId: 'sample', ...choice });

async function runThere(twin: Twin, rows: readonly Row[]): Promise<string> {
  const runId = await startThere(twin, rows);
  await untilStatus(twin, runId, 'completed');
  return runId;
}

/** Runs rows here over the public API, as a script does. */
async function runHere({ app }: Pick<Twin, 'app'>, rows: readonly Row[]) {
  const runId = await app.run('sample', rows);
  const { data } = (await untilEnd(app, runId)).body as { data: { status: string; error?: string } };
  if (data.status !== 'completed') return data;
  const { body } = await app.call(outputPath('sample', runId));
  return { status: data.status, outputs: Object.values((body as { data: Record<string, unknown> }).data) };
}

async function untilEnd(app: Twin['app'], runId: string) {
  const status = async (): Promise<string> => (await app.handlers['run.show']({ runId })).status;
  await expect.poll(status, { interval: 20, timeout: 10_000 }).toMatch(/completed|failed/);
  return app.call(statusPath('sample', runId));
}

const shuffled = <T>(items: readonly T[], random: () => number): T[] =>
  items
    .map((item) => [random(), item] as const)
    .sort(([one], [other]) => one - other)
    .map(([, item]) => item);

/** The same row with its fields in another order, at each depth. */
const reordered = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(reordered)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .reverse()
            .map(([name, each]) => [name, reordered(each)]),
        )
      : value;

it('a recording answers as the service did, whatever the order and number of the rows', async () => {
  const twin = await startTwin({ rowIds: 'integer', entries: 'reversed' }, deepScore, stub);
  const before = await runHere(twin, deepRows.slice(0, 1));
  expect(before).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('has no nodes here') as string,
  });
  const runId = await runThere(twin, deepRows);
  const recorded = await record(twin);
  expect(recorded).toMatchObject({
    connection: 'prod',
    rows: 50,
    runs: 1,
    changedRows: 0,
    rowsWithoutOutput: 0,
  });
  expect(recorded).not.toHaveProperty('nodes');
  const { url } = twin.service;
  await twin.service.close();
  await expect(fetch(url)).rejects.toThrow();
  const random = seededRandom(40);
  const some = shuffled(deepRows, random).slice(0, 20);
  for (const rows of [deepRows, some, some.map((row) => reordered(row) as Row), [...some, ...some]])
    expect(await runHere(twin, rows)).toEqual({ status: 'completed', outputs: rows.map(deepScore) });
  expect(await outputsOf(twin, runId)).toEqual(deepRows.map(deepScore));
});

it(
  'a row that was not recorded fails over HTTP, in a run of the file and in a test',
  { timeout: 30_000 },
  async () => {
    const twin = await startTwin({}, deepScore, stub);
    await runThere(twin, deepRows);
    await record(twin);
    const folder = join(twin.app.dataDir, 'workflows');
    const row51 = { ...deepRows[0], n: 51 };
    const miss = 'Node "known" failed on row 2: This row was not recorded';
    expect(await runHere(twin, [deepRows[0] ?? {}, row51])).toMatchObject({ status: 'failed', error: miss });
    const rows = join(folder, 'two.rows.json');
    await writeFile(rows, JSON.stringify([deepRows[0], row51]));
    const file = join(folder, 'sample.workflow.yaml');
    const ran = await runCli(['run', file, '--rows', rows]);
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining(miss) as string });
    const tests = join(folder, 'sample.tests.yaml');
    await writeFile(
      tests,
      'tests:\n  - name: all rows are known\n    rows: two.rows.json\n    expect: { status: completed }\n',
    );
    const tested = await runCli(['test', tests]);
    expect(tested.code).toBe(1);
    expect(tested.stdout).toContain('This row was not recorded');
    const validated = await runCli(['validate', '--strict', file]);
    expect(validated, validated.stdout).toMatchObject({ code: 0 });
    expect(await readFile(file, 'utf8')).toContain(`name: Recorded answers of prod, `);
    const shown = await twin.app.handlers['workflow.show']({ workflowId: 'sample' });
    expect(shown).toMatchObject({
      name: expect.stringMatching(/^Recorded answers of prod, \d\d \w{3} \d{4}$/) as string,
    });
    expect(shown.reach).toMatchObject({ calls: [], workflows: [] });
  },
);

it('200 changed rows have no recorded answer', { timeout: 30_000 }, async () => {
  const twin = await startTwin({}, deepScore, stub);
  await runThere(twin, deepRows);
  await record(twin);
  const random = seededRandom(41);
  const file = join(twin.app.dataDir, 'workflows', 'sample.workflow.yaml');
  // Failed rows are left out, so that each row is tried.
  await writeFile(file, (await readFile(file, 'utf8')).replace('nodes:\n', 'onRowError: skip\nnodes:\n'));
  const mutants = Array.from({ length: 200 }, () =>
    mutant(deepRows[Math.floor(random() * 50)] ?? {}, random),
  );
  const runId = await twin.app.run('sample', [...mutants, deepRows[7]]);
  await untilEnd(twin.app, runId);
  expect((await outputsOf(twin, runId)).filter((output) => output !== undefined)).toEqual([
    deepScore(deepRows[7] ?? {}),
  ]);
});

/** The row with one value, type or key changed. */
function mutant(row: Row, random: () => number): Row {
  const names = Object.keys(row);
  const name = names[Math.floor(random() * names.length)] ?? 'id';
  const { [name]: value, ...others } = row;
  const changes: readonly (() => Row)[] = [
    () => others,
    () => ({ ...others, [`${name}_`]: value ?? null }),
    () => ({ ...row, extra: null }),
    () => ({ ...row, [name]: [value] }),
    () => ({ ...row, [name]: typeof value === 'string' ? `${value} ` : JSON.stringify(value) }),
    () => ({ ...row, [name]: typeof value === 'number' ? value + 0.5 : !value }),
    () => ({ ...row, company: { ...(row['company'] as Row), tags: ['a', random()] } }),
  ];
  return changes[Math.floor(random() * changes.length)]?.() ?? others;
}

it('answers that changed are taken from the newest run, and the others are kept', async () => {
  let version = 1;
  const twin = await startTwin({}, (row) => ({ id: row['id'], version: row['n'] === 1 ? version : 0 }), stub);
  await runThere(twin, leadRows(3));
  version = 2;
  const newest = await runThere(twin, leadRows(4));
  const { file, ...recorded } = await record(twin);
  expect(recorded).toMatchObject({ rows: 4, runs: 2, changedRows: 1 });
  const records = (await readFile(file, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
  expect(records[0]).toMatchObject({
    run: newest,
    output: { version: 2 },
    others: [{ id: 'lead-1', version: 1 }],
  });
  expect(records[1]).not.toHaveProperty('others');
  expect(records[0]).not.toHaveProperty('row');
});

it('answers that depend on the other rows are not recorded', async () => {
  const twin = await startTwin({}, (row, index) => ({ id: row['id'], rank: index }), stub);
  const all = await runThere(twin, leadRows(4));
  const alone = await Promise.all(
    leadRows(4)
      .slice(1)
      .map((row) => runThere(twin, [row])),
  );
  await expect(record(twin)).rejects.toThrow(
    '3 of 3 rows that were sent alone and among others got different answers',
  );
  expect(await record(twin, { runIds: [all] })).toMatchObject({ rows: 4, changedRows: 0 });
  expect(await record(twin, { runIds: alone })).toMatchObject({ rows: 3 });
});

it('outputs that were matched by their order are recorded only if a user accepts that', async () => {
  const twin = await startTwin({}, ({ n }) => ({ score: n }), stub);
  const runId = await runThere(twin, leadRows(3));
  await expect(record(twin)).rejects.toThrow(`by their order, which is not proven: ${runId}`);
  expect(await record(twin, { acceptsOrder: true })).toMatchObject({ rows: 3, isByOrder: true });
  const text = await readFile(join(twin.app.dataDir, 'workflows', 'sample.workflow.yaml'), 'utf8');
  expect(text).toContain('# Outputs were matched to rows by their order, which is not proven.');
  // Recorded again, it is no file with nodes of its own.
  expect(await record(twin, { acceptsOrder: true })).not.toHaveProperty('nodes');
});

it('failed runs and failed rows are not recorded, and a workflow with nodes of its own is not changed', async () => {
  const twin = await startTwin({}, (row) => (row['n'] === 2 ? undefined : deepScore(row)));
  await expect(record(twin)).rejects.toThrow('Run it there first: rowbench hosted run sample');
  twin.service.quirks.statuses = ['failed'];
  const failed = await startThere(twin, leadRows(2));
  await untilStatus(twin, failed, 'failed');
  await expect(record(twin)).rejects.toThrow('no completed run of sample');
  await expect(record(twin, { runIds: [failed] })).rejects.toThrow('only completed runs are recorded');
  twin.service.quirks.statuses = ['completed'];
  await runThere(twin, leadRows(3));
  const file = join(twin.app.dataDir, 'workflows', 'sample.workflow.yaml');
  const before = await readFile(file, 'utf8');
  const { nodes, ...recorded } = await record(twin);
  expect(recorded).toMatchObject({ rows: 2, rowsWithoutOutput: 1 });
  expect(nodes).toContain('table: sample.recorded.ndjson');
  expect(await readFile(file, 'utf8')).toBe(before);
  const local = await twin.app.run('sample', leadRows(1));
  await untilEnd(twin.app, local);
  await expect(record(twin, { runIds: [local] })).rejects.toThrow('it was executed here');
});

it('runs of two services are not recorded into one file', async () => {
  const twin = await startTwin({}, deepScore, stub);
  const other = await startFakeHosted({ sample: deepScore });
  onTestFinished(() => other.close());
  await addProd(twin.app, other, { name: 'staging' });
  await runThere(twin, leadRows(2));
  const { runId } = await twin.app.handlers['hosted.run']({
    workflowId: 'sample',
    connection: 'staging',
    lines: '{"id":"x"}\n',
  });
  await untilStatus(twin, runId, 'completed');
  await expect(record(twin)).rejects.toThrow('several services (staging, prod)');
  expect(await record(twin, { connection: 'staging' })).toMatchObject({ connection: 'staging', rows: 1 });
});

it(
  'an old recording is a warning of "validate", and the command line records with a server and without',
  { timeout: 30_000 },
  async () => {
    const twin = await startTwin({}, deepScore, stub);
    await runThere(twin, leadRows(2));
    const command = ['hosted', 'record', 'sample', '--data', twin.app.dataDir];
    const remote = await runCli(command);
    expect(remote, remote.stderr).toMatchObject({ code: 0, stdout: '' });
    expect(remote.stderr).toContain('Recorded 2 rows of 1 run at prod in ');
    await twin.app.close();
    const local = await runCli([...command, '--json']);
    expect(JSON.parse(local.stdout)).toMatchObject({ rows: 2, runs: 1 });
    const folder = join(twin.app.dataDir, 'workflows');
    const records = join(folder, 'sample.recorded.ndjson');
    const text = await readFile(records, 'utf8');
    const old = new Date(Date.now() - 31 * 86_400_000).toISOString();
    await writeFile(records, text.replaceAll(/"at":"[^"]*"/g, `"at":"${old}"`));
    const validated = await runCli(['validate', '--strict', folder]);
    expect(validated.code).toBe(1);
    expect(validated.stdout).toContain('sample.recorded.ndjson was recorded 31 days ago');
  },
);

it('a new hosted workflow runs at the service, and fails here until it is recorded', async () => {
  const folder = await temporaryFolder();
  const made = await runCli(['new', 'wf_8123', '--template', 'hosted', '--dir', folder]);
  expect(made, made.stderr).toMatchObject({ code: 0 });
  const text = await readFile(join(folder, 'wf_8123.workflow.yaml'), 'utf8');
  expect(text).toBe(hostedWorkflow('wf_8123', 'wf_8123'));
  const app = await startTestApp({ workflows: { wf_8123: text }, clock: hostedClock });
  onTestFinished(() => app.close());
  expect(await app.handlers['workflow.show']({ workflowId: 'wf_8123' })).toMatchObject({ issues: [] });
});
