import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CreatedKey, KeyView, RunView } from '../../../src-main/contract/index.ts';
import { callApi, finalStatus, trigger } from '../../builders/api-client.ts';
import { writeFlow } from '../../builders/flow-file.ts';
import { runCli } from '../../builders/run-cli.ts';
import { startServerProcess, testKey } from '../../builders/server-process.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

async function server() {
  const folder = await temporaryFolder();
  await writeFlow(folder);
  const dataDir = join(folder, 'data');
  const running = await startServerProcess({ dataDir, workflows: folder });
  onTestFinished(() => running.kill());
  const cli = (...args: string[]) => runCli(args, { env: { ROWBENCH_DATA: dataDir }, cwd: folder });
  const json = async <T>(...args: string[]) => JSON.parse((await cli(...args, '--json')).stdout) as T;
  return { ...running, folder, dataDir, cli, json };
}

describe('the command line beside a running server', () => {
  it('creates, lists and revokes the keys of that server', async () => {
    const { url, cli, json } = await server();
    const { secret, key } = await json<CreatedKey>('keys', 'create', '--name', 'ci', '--workflow', 'flow');
    const use = () =>
      callApi(url, '/api/v1/workflows/flow/runs/x/async/status', { headers: { 'x-service-key': secret } });
    expect((await use()).status).toBe(404);
    expect(await json<KeyView[]>('keys', 'list')).toContainEqual(
      expect.objectContaining({
        id: key.id,
        name: 'ci',
        workflows: ['flow'],
        calls: 1,
        last4: secret.slice(-4),
      }),
    );
    expect((await cli('keys', 'list')).stdout).not.toContain(secret);
    expect(await cli('keys', 'revoke', key.id)).toMatchObject({ code: 0, stdout: '' });
    expect((await use()).status).toBe(401);
  });

  it('shows runs, reruns one and exports its outputs', async () => {
    const { url, folder, cli, json } = await server();
    const runId = await trigger(url, 'flow', [{ n: 1 }, { n: 4 }]);
    await finalStatus(url, { workflowId: 'flow', runId });
    expect(await json<RunView[]>('runs', 'list', '--status', 'completed')).toMatchObject([
      { runId, rowsDone: 2 },
    ]);
    expect(await json<RunView[]>('runs', 'list', '--status', 'failed')).toEqual([]);
    expect((await cli('runs', 'show', runId)).stdout).toMatch(/^status\s+Completed$/m);

    const again = await json<RunView>('runs', 'rerun', runId);
    expect(again).toMatchObject({ rerunOf: runId, rows: 2 });
    expect(['queued', 'running']).toContain(again.status);
    await finalStatus(url, { workflowId: 'flow', runId: again.runId });
    expect((await cli('export', again.runId, '--format', 'csv')).stdout).toBe('double,tags\n2,[]\n8,[]\n');
    expect(await cli('export', runId, '--out', 'out.ndjson')).toMatchObject({ code: 0, stdout: '' });
    expect(await readFile(join(folder, 'out.ndjson'), 'utf8')).toBe(
      '{"double":2,"tags":[]}\n{"double":8,"tags":[]}\n',
    );
  });

  it('pauses, resumes and cancels a run', async () => {
    const { url, folder, json, cli } = await server();
    await writeFile(
      join(folder, 'slow.workflow.yaml'),
      'rowbench: 1\nid: slow\nnodes:\n  - { id: input, type: input }\n  - { id: wait, type: delay, for: 1h }\n  - { id: out, type: output, fields: { a: 1 } }\n',
    );
    const runId = await trigger(url, 'slow', [{}]);
    await expect.poll(async () => (await json<RunView>('runs', 'show', runId)).status).toBe('running');
    const paused = await json<RunView>('runs', 'pause', runId);
    expect(['pausing', 'paused']).toContain(paused.status);
    await expect.poll(async () => (await json<RunView>('runs', 'show', runId)).status).toBe('paused');
    expect((await json<RunView>('runs', 'resume', runId)).status).toMatch(/queued|running/);
    expect((await json<RunView>('runs', 'cancel', runId)).status).toBe('cancelled');
    expect(await cli('runs', 'pause', runId)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: A cancelled run cannot be paused\n',
    });
    expect((await cli('export', runId)).stderr).toBe(
      'error: Workflow run is not completed. Current status: cancelled\n',
    );
    expect((await cli('export', runId, '--partial')).stdout).toBe('[]\n');
  });

  it('has a token that opens no API, and keys that open no control', async () => {
    const { url, dataDir } = await server();
    const { controlToken } = JSON.parse(await readFile(join(dataDir, 'server.json'), 'utf8')) as {
      controlToken: string;
    };
    const status = '/api/v1/workflows/flow/runs/x/async/status';
    const withToken = { 'x-rowbench-token': controlToken, 'x-service-key': controlToken };
    expect((await callApi(url, status, { headers: withToken })).status).toBe(401);
    const control = (token: string) =>
      callApi(url, '/_rowbench/v1/call/key.list', {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/json', 'x-rowbench-token': token },
      });
    expect((await control(testKey)).status).toBe(401);
    expect((await control(controlToken)).status).toBe(200);
  });
});

describe('the command line without a server', () => {
  it('reruns a run whose workflow is in a named folder', async () => {
    const running = await server();
    const { url, folder, cli, json } = running;
    const runId = await trigger(url, 'flow', [{ n: 1 }]);
    await finalStatus(url, { workflowId: 'flow', runId });
    await running.kill();
    expect((await cli('runs', 'rerun', runId)).stderr).toBe(
      'error: No file of the workflow "flow" is known here. Name the folder that holds it with --workflows DIR\n',
    );
    expect(await json<RunView>('runs', 'rerun', runId, '--workflows', folder)).toMatchObject({
      rerunOf: runId,
      status: 'queued',
    });
  });

  it('works on the data folder itself', async () => {
    const data = ['--data', join(await temporaryFolder(), 'data')];
    const created = await runCli(['keys', 'create', '--name', 'a', ...data]);
    expect(created.stdout).toMatch(/^rbk_\S+\n$/);
    const { stdout } = await runCli(['keys', 'list', '--json', ...data]);
    expect(JSON.parse(stdout)).toMatchObject([{ name: 'a', last4: created.stdout.trim().slice(-4) }]);
    expect(await runCli(['runs', 'list', '--json', ...data])).toMatchObject({ code: 0, stdout: '[]\n' });
    expect((await runCli(['export', 'none', ...data])).stderr).toBe('error: Workflow run not found\n');
  });
});
