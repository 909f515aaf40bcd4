// A server has had runs of all kinds: a minute later its processes together hold little memory. ROWBENCH_PROOF=long makes more runs.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { finalStatus, outputOf, trigger } from '../builders/api-client.ts';
import { readEvents } from '../builders/event-reader.ts';
import { usageOf } from '../builders/process-usage.ts';
import { startServerProcess } from '../builders/server-process.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';
import { textRow, textWorkflow } from '../builders/text-workload.ts';
import { isLong, timeoutMs, report } from './length.ts';

/** Six workflows, so that many workers are started: a worker serves one alone. */
const mixedWorkflows = ['a', 'b', 'c', 'd', 'e', 'f'];

/** One-row runs of all workflows by four clients, runs of 1,000 rows, one of 100,000, and a page that follows all of it. */
async function mixedLoad(dataDir: string, url: string): Promise<void> {
  const info = JSON.parse(await readFile(join(dataDir, 'server.json'), 'utf8')) as { controlToken: string };
  const feed = await readEvents(url, { 'x-rowbench-token': info.controlToken });
  expect(feed.response.status).toBe(200);
  const reading = (async () => {
    while ((await feed.next()) !== undefined);
  })().catch(() => undefined);
  const textRows = (count: number) => Array.from({ length: count }, (_, index) => textRow(index));
  const runAll = async (runs: number, rowsOfEach: number, first = 0): Promise<void> => {
    for (let run = 0; run < runs; run += 1) {
      const workflowId = mixedWorkflows[(first + run) % mixedWorkflows.length] ?? '';
      const runId = await trigger(url, workflowId, textRows(rowsOfEach));
      const { status: end } = await finalStatus(url, { workflowId, runId }, 300_000);
      expect(end).toBe('completed');
      expect(Object.keys(await outputOf(url, workflowId, runId))).toHaveLength(rowsOfEach);
    }
  };
  const small = [0, 1, 2, 3].map((client) => runAll(isLong ? 1000 : 60, 1, client));
  await Promise.all([...small, runAll(6, 1000), runAll(1, 100_000)]);
  feed.leave();
  await reading;
}

async function descendants(pid: number): Promise<number[]> {
  const listed = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const children = listed.split(' ').filter(Boolean).map(Number);
  return [...children, ...(await Promise.all(children.map(descendants))).flat()];
}

it.skipIf(process.platform !== 'linux')(
  'a server and its workers hold 250 MB at most a minute after mixed load, and one worker is left',
  { timeout: timeoutMs(400_000) },
  async () => {
    const folder = await temporaryFolder();
    const dataDir = join(folder, 'data');
    const workflows = join(folder, 'workflows');
    await mkdir(workflows);
    for (const id of mixedWorkflows)
      await writeFile(join(workflows, `${id}.workflow.yaml`), textWorkflow.replace('id: text', `id: ${id}`));
    const server = await startServerProcess({ dataDir, workflows });
    try {
      await mixedLoad(dataDir, server.url);
      await setTimeout(60_000);
      const pids = [server.pid, ...(await descendants(server.pid))];
      const commands = await Promise.all(pids.map((each) => readFile(`/proc/${each}/cmdline`, 'utf8')));
      const sizes = (await Promise.all(pids.map(usageOf))).map(({ megabytes }) => megabytes);
      const whole = sizes.reduce((sum, size) => sum + size, 0);
      report(
        `idle: ${whole.toFixed(0)} MB in all a minute after mixed load (${sizes.map((size) => size.toFixed(0)).join(' + ')})`,
      );
      expect(commands.filter((command) => command.includes('row-worker.js'))).toHaveLength(1);
      expect(whole).toBeLessThanOrEqual(250);
    } finally {
      await server.stop();
    }
  },
);
