// The guide's statement on limits and a restart: the sliding minutes are held only in memory.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { callApi, trigger } from '../../builders/api-client.ts';
import { startServerProcess } from '../../builders/server-process.ts';
import { sampleWorkflows, statusPath, workflowPath } from '../../builders/start-test-app.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

it('a restart forgets the calls of the last minute, for key, workflow and run, whether it was orderly or not', async () => {
  const workflows = await temporaryFolder();
  for (const id of ['echo', 'other'])
    await writeFile(
      join(workflows, `${id}.workflow.yaml`),
      sampleWorkflows.echo.replace('id: echo', `id: ${id}`),
    );
  const options = { dataDir: join(workflows, 'data'), workflows, limits: 'published' } as const;
  const answers = async (url: string, runId: string) => {
    const post = (id: string) => callApi(url, workflowPath(id), { method: 'POST', body: '{' });
    const calls = [
      ...Array.from({ length: 7 }, () => () => callApi(url, statusPath('other', runId))),
      ...Array.from({ length: 31 }, () => () => post('echo')),
      ...Array.from({ length: 21 }, () => () => post('other')),
    ];
    const limits: (string | null)[] = [];
    for (const call of calls) limits.push((await call()).headers.get('x-rowbench-limit'));
    return limits;
  };
  const full = [
    ...[...Array.from({ length: 6 }, () => null), 'status-per-run'],
    ...[...Array.from({ length: 30 }, () => null), 'trigger-per-workflow'],
    ...[...Array.from({ length: 20 }, () => null), 'trigger'],
  ];
  const first = await startServerProcess(options);
  const runId = await trigger(first.url, 'other', [{ n: 1 }]);
  await first.stop();
  for (const end of ['kill', 'stop'] as const) {
    const server = await startServerProcess(options);
    expect(await answers(server.url, runId)).toEqual(full);
    await server[end]();
  }
}, 60_000);
