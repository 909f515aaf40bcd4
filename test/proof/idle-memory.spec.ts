// A server that has had runs of all kinds: within a minute its processes together hold little memory.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { finalStatus, outputOf, trigger } from '../builders/api-client.ts';
import { readEvents } from '../builders/event-reader.ts';
import { descendants, residentMbOf, sumOf } from '../builders/process-usage.ts';
import { startServerProcess } from '../builders/server-process.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';
import { textRow, textWorkflow } from '../builders/text-workload.ts';
import { isLong, timeoutMs, report } from './length.ts';

const maxMb = 250;
const maxIdleMs = 60_000;

/** Six workflows, so that many workers are started: a worker serves one alone. */
const mixedWorkflows = ['a', 'b', 'c', 'd', 'e', 'f'];

// The memory of a process is read from /proc.
it.skipIf(process.platform !== 'linux')(
  `a server and its workers hold ${maxMb} MB at most within a minute after mixed load, and one worker is left`,
  { timeout: timeoutMs(300_000) },
  async () => {
    const folder = await temporaryFolder();
    const dataDir = join(folder, 'data');
    const workflows = join(folder, 'workflows');
    await mkdir(workflows);
    for (const id of mixedWorkflows)
      await writeFile(join(workflows, `${id}.workflow.yaml`), textWorkflow.replace('id: text', `id: ${id}`));
    const server = await startServerProcess({ dataDir, workflows });
    onTestFinished(() => server.stop());
    await mixedLoad(dataDir, server.url);
    const since = performance.now();
    let idle = await processesOf(server.pid);
    while ((idle.workers > 1 || idle.megabytes > maxMb) && performance.now() - since < maxIdleMs) {
      await setTimeout(500);
      idle = await processesOf(server.pid);
    }
    report(
      `idle: ${idle.megabytes.toFixed(0)} MB in all ${((performance.now() - since) / 1000).toFixed(0)} s after mixed load`,
    );
    expect(idle.workers).toBe(1);
    expect(idle.megabytes).toBeLessThanOrEqual(maxMb);
  },
);

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

type Processes = { readonly workers: number; readonly megabytes: number };

/** Row workers of a server, and the memory of all its processes. A process may end while it is measured. */
async function processesOf(serverPid: number): Promise<Processes> {
  const pids = [serverPid, ...(await descendants(serverPid).catch(() => []))];
  const found = await Promise.all(
    pids.map(async (pid) => ({
      command: await readFile(`/proc/${pid}/cmdline`, 'utf8'),
      megabytes: await residentMbOf(pid),
    })),
  ).catch(() => undefined);
  if (found === undefined) return { workers: 0, megabytes: Infinity };
  return {
    workers: found.filter(({ command }) => command.includes('row-worker.cjs')).length,
    megabytes: sumOf(found.map(({ megabytes }) => megabytes)),
  };
}
