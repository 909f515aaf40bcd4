// `rowbench runs` over a data folder, with and without a server.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { localTime } from '../../../src-main/domain/format.ts';
import type { BulkView, RunDetail, RunView } from '../../../src-main/contract/index.ts';
import { finalStatus, trigger } from '../../builders/api-client.ts';
import { damageResults } from '../../builders/damaged-results.ts';
import { openTestServices } from '../../builders/open-test-services.ts';
import { runCli } from '../../builders/run-cli.ts';
import { startServerProcess } from '../../builders/server-process.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const flow = (id: string): string => `rowbench: 1
id: ${id}
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: check, type: assert, that: "=row.n !== 2", message: "two is not welcome" }
  - { id: result, type: output, after: [check], fields: { n: "=row.n" } }
`;
const waiting = `rowbench: 1
id: waiting
nodes:
  - { id: input, type: input }
  - { id: wait, type: delay, for: 1h }
  - { id: result, type: output, after: [wait], fields: { a: 1 } }
`;

/** Runs that wait in a folder that no server has. */
async function queuedRuns(...workflows: string[]) {
  const services = await openTestServices({ one: flow('one'), other: flow('other') }, { executes: false });
  const ids: string[] = [];
  for (const workflow of workflows) ids.push((await services.start(workflow, [{ n: 1 }])).runId);
  await services.close();
  const cli = (...args: string[]) => runCli(['runs', ...args, '--data', services.dataDir]);
  const json = async <T>(...args: string[]) => JSON.parse((await cli(...args, '--json')).stdout) as T;
  return { ids, cli, json };
}

async function server(text: string) {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'flow.workflow.yaml'), text);
  const dataDir = join(folder, 'data');
  const running = await startServerProcess({ dataDir, workflows: folder });
  onTestFinished(() => running.kill());
  const cli = (...args: string[]) => runCli(args, { env: { ROWBENCH_DATA: dataDir } });
  const json = async <T>(...args: string[]) => JSON.parse((await cli(...args, '--json')).stdout) as T;
  return { ...running, cli, json };
}

describe('a run whose traces are damaged', () => {
  it('is shown with all that can be read of it, and why its failures cannot', async () => {
    const services = await openTestServices({ one: flow('one') });
    const { runId } = await services.start('one', [{ n: 1 }, { n: 2 }]);
    await expect.poll(async () => (await services.runs.get(runId)).run.status).toBe('completed');
    await services.close();
    await damageResults(services.dataDir, runId, 'traces');
    const show = (...args: string[]) => runCli(['runs', 'show', runId, '--data', services.dataDir, ...args]);
    const { code, stdout } = await show();
    expect(code).toBe(0);
    expect(stdout).toContain('status    Completed, 1 failed\n');
    expect(stdout).toContain('rows      2, 1 done, 1 failed\n');
    expect(stdout).toMatch(/^failures {2}Stored data cannot be read: damage at the .* of run \S+$/m);
    expect(stdout).not.toContain('welcome');
    const detail = JSON.parse((await show('--json')).stdout) as RunDetail;
    expect(detail.failures).toEqual([]);
    expect(detail.failuresProblem).toContain('damage');
  });
});

it('a run that was not answered by services is marked in the list and on its own', async () => {
  const services = await openTestServices({ one: flow('one') }, { executes: false });
  const live = await services.start('one', [{ n: 1 }]);
  const scenario = { 'fail-row': 1 };
  const { runId } = await services.start('one', [{ n: 1 }], { mode: 'replay', scenario });
  await services.close();
  const cli = (...args: string[]) => runCli(['runs', ...args, '--data', services.dataDir]);
  const { stdout: list } = await cli('list');
  expect(list).toMatch(new RegExp(`^${runId} .* Replayed, scenario$`, 'm'));
  expect(list).toMatch(new RegExp(`^${live.runId} .* cli$`, 'm'));
  expect((await cli('show', runId)).stdout).toContain('mode      Replayed, scenario\nscenario  fail-row=1\n');
  expect((await cli('show', live.runId)).stdout).not.toContain('mode');
  const runs = JSON.parse((await cli('list', '--json')).stdout) as RunView[];
  expect(runs.map(({ mode }) => mode)).toEqual(['replay', undefined]);
});

describe('a verb on all runs that fit', () => {
  it('is refused without a yes when nobody can be asked', async () => {
    const { cli, json } = await queuedRuns('one', 'one', 'other');
    expect(await cli('cancel', '--status', 'queued', '--workflow', 'one')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: 2 runs of one fit: add --yes to cancel them all\n',
    });
    expect(await json<RunView[]>('list', '--status', 'queued')).toHaveLength(3);
  });

  it('moves them with a yes, and no other', async () => {
    const { ids, cli, json } = await queuedRuns('one', 'one', 'other');
    expect(await cli('cancel', '--status', 'queued', '--workflow', 'one', '--yes')).toEqual({
      code: 0,
      stdout: '',
      stderr: '2 runs now cancelled.\n',
    });
    expect(await json<RunView[]>('list', '--status', 'queued')).toMatchObject([{ runId: ids[2] }]);
  });

  it('says of each what became of it', async () => {
    const { ids, json } = await queuedRuns('one', 'one');
    const { results } = await json<BulkView>('pause', '--since', '1h', '--yes');
    expect(results).toEqual([ids[1], ids[0]].map((runId) => ({ runId, outcome: 'moved', status: 'paused' })));
    expect(await json<BulkView>('pause', '--since', '1h', '--yes')).toEqual({ results: [] });
  });

  it('wants to know which', async () => {
    const { cli, ids } = await queuedRuns('one');
    expect((await cli('cancel')).stderr).toMatch('Name a run, or say which runs');
    expect((await cli('cancel', ids[0] ?? '', '--status', 'queued')).stderr).toMatch('not both');
  });
});

describe('runs that are named', () => {
  it('may be several, and each is reported', async () => {
    const { ids, cli } = await queuedRuns('one', 'one');
    const [first = '', second = ''] = ids;
    await cli('cancel', first);
    expect(await cli('pause', first, second)).toEqual({
      code: 1,
      stdout: '',
      stderr: `1 run now paused.\nRun ${first}: A cancelled run cannot be paused.\n`,
    });
  });

  it('go by a piece of their ids', async () => {
    const { ids, json, cli } = await queuedRuns('one', 'one');
    const [first = '', second = ''] = ids;
    expect(await json<RunView>('pause', first.slice(-6))).toMatchObject({ runId: first, status: 'paused' });
    expect(await json<RunDetail>('show', first.slice(-6))).toMatchObject({ runId: first });
    expect((await cli('show', first.slice(0, 6))).stderr).toBe(
      `error: "${first.slice(0, 6)}" fits several runs: ${[first, second].sort().join(', ')}\n`,
    );
  });
});

describe('a run and its reruns', () => {
  it('know each other, and who asked for them', async () => {
    const { url, cli, json } = await server(flow('flow'));
    const runId = await trigger(url, 'flow', [{ n: 1 }, { n: 2 }]);
    await finalStatus(url, { workflowId: 'flow', runId });
    const again = await json<RunView>('runs', 'rerun', runId.slice(-8), '--failed');
    expect(again).toMatchObject({ rerunOf: runId, origin: 'cli', rows: 1 });
    expect(await json<RunDetail>('runs', 'show', runId)).toMatchObject({ reruns: [again.runId] });
    expect((await cli('runs', 'show', again.runId)).stdout).toMatch(new RegExp(`^rerun of +${runId}$`, 'm'));
    expect((await cli('runs', 'show', runId)).stdout).toMatch(new RegExp(`^reruns +${again.runId}$`, 'm'));
    await finalStatus(url, { workflowId: 'flow', runId: again.runId });
    expect((await cli('runs', 'show', again.runId)).stdout).toMatch('failed on row 2: two is not welcome');
    expect((await cli('export', again.runId.slice(-8), '--format', 'ndjson')).stdout).toBe('null\n');
  });
});

describe('a rerun with rows from a file', () => {
  it('runs those under the numbers given', async () => {
    const { url, cli, json } = await server(flow('flow'));
    const runId = await trigger(url, 'flow', [{ n: 1 }, { n: 2 }, { n: 3 }]);
    await finalStatus(url, { workflowId: 'flow', runId });
    const file = join(await temporaryFolder(), 'edited.json');
    await writeFile(file, '[{ "n": 2 }, { "n": 30 }]');
    const again = await json<RunView>('runs', 'rerun', runId, '--rows', file, '--numbers', '2,3');
    expect(again).toMatchObject({ rerunOf: runId, rows: 2 });
    await finalStatus(url, { workflowId: 'flow', runId: again.runId });
    expect((await cli('runs', 'show', again.runId)).stdout).toMatch('failed on row 2: two is not welcome');
    expect((await cli('export', again.runId, '--format', 'ndjson')).stdout).toBe('null\n{"n":30}\n');
    expect((await cli('runs', 'rerun', '--status', 'completed', '--rows', file)).stderr).toMatch('name it');
  });

  it('without numbers leaves the latest results of the run as they were, and says so', async () => {
    const { url, cli } = await server(flow('flow'));
    const runId = await trigger(url, 'flow', [{ n: 1 }, { n: 4 }]);
    await finalStatus(url, { workflowId: 'flow', runId });
    const file = join(await temporaryFolder(), 'one.json');
    await writeFile(file, '[{ "n": 300 }]');
    const rerun = await cli('runs', 'rerun', runId, '--rows', file);
    expect(rerun.stderr).toContain('--latest does not merge it with that run: its rows have no numbers');
    const again = rerun.stdout.trim();
    await finalStatus(url, { workflowId: 'flow', runId: again });
    const exported = await cli('export', runId, '--latest', '--format', 'ndjson');
    expect(exported.stdout).toBe('{"row":1,"n":1}\n{"row":2,"n":4}\n');
    expect((await cli('runs', 'rows', runId, '--latest')).stdout).not.toContain('300');
    expect((await cli('runs', 'show', again)).stdout).toMatch(/^rerun of .*\(not merged: its rows have no/m);
  });
});

describe('a rerun with a table of texts', () => {
  const typed = `rowbench: 1
id: flow
nodes:
  - { id: input, type: input, fields: { n: { type: number } } }
  - { id: result, type: output, fields: { n: "=row.n" } }
`;

  it('says how it was read, and a rerun of it reads the file alike unless flags say otherwise', async () => {
    const { url, cli } = await server(typed);
    const original = await trigger(url, 'flow', [{ n: 1 }]);
    await finalStatus(url, { workflowId: 'flow', runId: original });
    const file = join(await temporaryFolder(), 'orders.csv');
    const rerunOf = async (runId: string, ...flags: string[]) => {
      const { stdout, stderr } = await cli('runs', 'rerun', runId, '--rows', file, ...flags);
      const again = stdout.trim();
      await finalStatus(url, { workflowId: 'flow', runId: again });
      return { again, stderr, output: (await cli('export', again, '--format', 'ndjson')).stdout };
    };
    await writeFile(file, 'Orders;\n;\nn;who\n7,5;Ada\n8,25;Bob\n');
    const first = await rerunOf(original);
    expect(first.output).toBe('{"n":7.5}\n{"n":8.25}\n');
    expect(first.stderr).toContain('header in line 3');
    expect((await cli('runs', 'show', first.again)).stdout).toMatch(
      /^read as +orders\.csv: .*n: 2 values with decimal comma/m,
    );
    await writeFile(file, 'Orders;\n;\nn;who\n1,234;Ada\n');
    const printed = await cli('runs', 'rerun', original, '--rows', file, '--json');
    expect(JSON.parse(printed.stdout)).toMatchObject({ readAs: { file: 'orders.csv' } });
    expect((await rerunOf(first.again)).output).toBe('{"n":1.234}\n');
    expect((await rerunOf(first.again, '--decimal', '.')).output).toBe('{"n":1234}\n');
  });
});

describe('a run that a server left running', () => {
  it('is paused at once where nothing runs', async () => {
    const running = await server(waiting);
    const runId = await trigger(running.url, 'waiting', [{}]);
    await expect
      .poll(async () => (await running.json<RunView>('runs', 'show', runId)).status)
      .toBe('running');
    await running.kill();
    expect(await running.json<RunView>('runs', 'pause', runId)).toMatchObject({ status: 'paused' });
  });
});

describe('the end of a list of runs', () => {
  const lastAt = '2026-01-02T12:00:00.000Z';

  it.each([
    [{ runs: 1, limits: { days: 1 } }, '1 older run was', ' (limit then: 1 day)'],
    [{ runs: 1204, limits: { gigabytes: 0.5 } }, '1,204 older runs were', ' (limit then: 0.5 GB)'],
    [{ runs: 2, limits: { days: 30, gigabytes: 5 } }, '2 older runs were', ' (limits then: 30 days, 5 GB)'],
    [{ runs: 2, limits: {} }, '2 older runs were', ''],
  ])(
    'names all runs that retention removed, and the limits of its last removal: %j',
    async (removed, were, limits) => {
      const dataDir = await temporaryFolder();
      const file = { version: 1, clockMs: Date.parse(lastAt), removed: { ...removed, lastAt } };
      await writeFile(join(dataDir, 'retention.json'), JSON.stringify(file));
      const { code, stdout, stderr } = await runCli(['runs', 'list', '--data', dataDir]);
      expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
      expect(stderr).toContain(
        `No runs found.\n${were} removed by retention, last on ${localTime(lastAt)}${limits}.\n`,
      );
    },
  );
});
