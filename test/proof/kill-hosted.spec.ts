// SIGKILL of the server at random moments of runs at a hosted service: no rows are sent twice by themselves, and no run is
// lost. 200 runs with a kill each in the long form.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { BulkView, RunView } from '../../src-main/contract/index.ts';
import { startFakeHosted } from '../builders/fake-hosted.ts';
import { seededRandom } from '../builders/seeded-random.ts';
import { startServerProcess } from '../builders/server-process.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';
import { workflowText } from '../builders/workflow-text.ts';
import { isLong, report, timeoutMs } from './length.ts';

const runs = isLong ? 200 : 4;
const seed = Number(process.env['ROWBENCH_SEED'] ?? 20_261_129);

it(`no rows are sent twice over ${runs} kills of the server`, { timeout: timeoutMs(180_000) }, async () => {
  const service = await startFakeHosted(
    { sample: ({ id }) => ({ id, ok: 1 }) },
    { hasLimits: false, acceptMs: 40 },
  );
  onTestFinished(() => service.close());
  const dataDir = await temporaryFolder();
  await mkdir(join(dataDir, 'workflows'), { recursive: true });
  await writeFile(join(dataDir, 'workflows', 'sample.workflow.yaml'), workflowText(''));
  const random = seededRandom(seed);
  const accepted: string[] = [];
  for (let nth = 0; nth < runs; nth += 1) {
    const server = await startServerProcess({ dataDir });
    const call = await callsOf(dataDir, server.url);
    const { url, key } = service;
    if (nth === 0)
      await call('hosted.add', { name: 'prod', url, header: 'x-acme-key', key, sharePercent: 100 });
    const lines = `${JSON.stringify({ id: `run-${nth}` })}\n`;
    const started = call<{ runId: string }>('hosted.run', {
      workflowId: 'sample',
      connection: 'prod',
      lines,
    });
    const isAnswered = started
      .then(({ runId }) => accepted.push(runId))
      .catch((error: unknown) => {
        // The server is gone.
        expect(error).toBeInstanceOf(TypeError);
      });
    await setTimeout(random() ** 2 * 900);
    await server.kill();
    await isAnswered;
  }
  const server = await startServerProcess({ dataDir });
  const call = await callsOf(dataDir, server.url);
  const list = () => call<readonly RunView[]>('run.list', { limit: 1000 });
  const isAtRest = ({ status, hosted }: RunView): boolean =>
    status === 'completed' || hosted?.isUnknown === true;
  await expect
    .poll(async () => (await list()).filter((run) => !isAtRest(run)).length, {
      interval: 500,
      timeout: timeoutMs(120_000),
    })
    .toBe(0);
  const sent = service.posts.length;
  const { results } = await call<BulkView>('run.bulk', { verb: 'resume', filter: { status: 'paused' } });
  await server.stop();
  const ended = await startServerProcess({ dataDir });
  const all = await (await callsOf(dataDir, ended.url))<readonly RunView[]>('run.list', { limit: 1000 });
  await ended.stop();
  const ofBody = new Map<string, number>();
  for (const { hash } of service.posts) ofBody.set(hash, (ofBody.get(hash) ?? 0) + 1);
  expect(Math.max(...ofBody.values())).toBe(1);
  expect(service.posts).toHaveLength(sent);
  expect(results.every(({ outcome }) => outcome === 'refused')).toBe(true);
  expect(all.map(({ runId }) => runId)).toEqual(expect.arrayContaining(accepted));
  expect(all.every(isAtRest)).toBe(true);
  const completed = all.filter(({ status }) => status === 'completed');
  expect(completed.every(({ rowsDone }) => rowsDone === 1)).toBe(true);
  const unknown = all.length - completed.length;
  expect(unknown).toBe(results.length);
  report(
    `hosted runs: ${runs} kills, ${all.length} accepted, ${sent} sent, ${completed.length} completed, ${unknown} unknown, none twice`,
  );
});

async function callsOf(dataDir: string, url: string) {
  const { controlToken } = JSON.parse(await readFile(join(dataDir, 'server.json'), 'utf8')) as {
    controlToken: string;
  };
  return async <Data>(procedure: string, input: unknown): Promise<Data> => {
    const response = await fetch(`${url}/_rowbench/v1/call/${procedure}`, {
      method: 'POST',
      headers: { 'x-rowbench-token': controlToken, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    });
    const answer = (await response.json()) as { readonly data: Data };
    expect(response.status, JSON.stringify(answer)).toBe(200);
    return answer.data;
  };
}
