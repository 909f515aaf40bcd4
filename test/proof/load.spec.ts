// The real server under load of all kinds at once, without limits: status calls at full speed, runs of 1,000 rows, idle
// connections, slow readers and slow writers. The server answers throughout. After the load, its memory and its file
// descriptors are back to their values from before. ROWBENCH_PROOF=long keeps the load up for a minute.
// A second server has had runs of all kinds: within a minute its processes together hold little memory.
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { finalStatus, outputOf, statusOf, trigger } from '../builders/api-client.ts';
import { readEvents } from '../builders/event-reader.ts';
import { having, openDoor } from '../builders/open-door.ts';
import { descendants } from '../builders/process-usage.ts';
import { startServerProcess, testKey, type ServerProcess } from '../builders/server-process.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';
import { textRow, textWorkflow } from '../builders/text-workload.ts';
import { isLong, timeoutMs, report } from './length.ts';

const seconds = isLong ? 60 : 5;
const rowsARun = 1000;
const idleSockets = 300;
const slowOnes = 20;
const status = (runId: string): string => `/api/v1/workflows/text/runs/${runId}/async/status`;
const output = (runId: string): string => `/api/v1/workflows/text/runs/${runId}/async/response`;

const workflowText = `rowbench: 1
id: text
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: { n: "=row.n", text: "=row.text" } }
`;
const rows = Array.from({ length: rowsARun }, (_, n) => ({ n, text: 'x'.repeat(400) }));

type Usage = { readonly megabytes: number; readonly descriptors: number };

/** Resident memory of a process, in MB, and its number of open file descriptors. */
async function gauge(pid: number): Promise<Usage> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8');
  const kilobytes = Number(/^VmRSS:\s+(\d+) kB/m.exec(text)?.[1]);
  return { megabytes: kilobytes / 1024, descriptors: (await readdir(`/proc/${pid}/fd`)).length };
}

/** Figures of a process after its load, and those that are still too high after `patienceMs` milliseconds. */
async function leftOver(pid: number, before: Usage, timeoutMs: number) {
  const until = performance.now() + timeoutMs;
  for (;;) {
    const after = await gauge(pid);
    const found = tooMuch(before, after);
    if (found.length === 0 || performance.now() > until) return { after, found };
    await setTimeout(250);
  }
}

const tooMuch = (before: Usage, after: Usage): readonly string[] => [
  ...(after.descriptors > before.descriptors + 8
    ? [`${after.descriptors} descriptors, ${before.descriptors} before`]
    : []),
  ...(after.megabytes > 1.5 * before.megabytes + 40
    ? [`${after.megabytes.toFixed(0)} MB, ${before.megabytes.toFixed(0)} before`]
    : []),
];

/** A connection that has sent so much and takes no answer. */
async function holdOpen(url: string, sent: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  // It is the server's right to close what does nothing.
  socket.on('error', () => undefined);
  socket.pause();
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  socket.write(sent);
  return socket;
}

const head = (method: string, path: string, url: string, length?: number): string =>
  `${method} ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nx-service-key: ${testKey}\r\n` +
  (length === undefined ? '\r\n' : `content-type: application/json\r\ncontent-length: ${length}\r\n\r\n`);

async function callStatus(url: string, runId: string, until: number, most = Infinity): Promise<number> {
  let calls = 0;
  for (; calls < most && performance.now() < until; calls += 1) {
    const response = await fetch(url + status(runId), { headers: { 'x-service-key': testKey } });
    expect(response.status).toBe(200);
    await response.arrayBuffer();
  }
  return calls;
}

/** Fifty a minute. */
async function startRuns(url: string, until: number): Promise<readonly string[]> {
  const runIds: string[] = [];
  while (performance.now() < until) {
    runIds.push(await trigger(url, 'text', rows));
    await setTimeout(1200);
  }
  return runIds;
}

async function startText(fault: { readonly fault?: string } = {}): Promise<ServerProcess> {
  const folder = await temporaryFolder();
  const workflows = join(folder, 'workflows');
  await mkdir(workflows);
  await writeFile(join(workflows, 'text.workflow.yaml'), workflowText);
  return startServerProcess({ dataDir: join(folder, 'data'), workflows, ...fault });
}

async function finishedRun(url: string): Promise<string> {
  const runId = await trigger(url, 'text', rows);
  await finalStatus(url, { workflowId: 'text', runId }, 60_000);
  return runId;
}

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

/** The server that has had mixed load: it is left alone while the other rigs run, so that its minute costs little. */
const rested = { folder: '', server: undefined as ServerProcess | undefined, since: 0 };

beforeAll(async () => {
  if (process.platform !== 'linux') return;
  rested.folder = await mkdtemp(join(tmpdir(), 'rowbench-test-'));
  const dataDir = join(rested.folder, 'data');
  const workflows = join(rested.folder, 'workflows');
  await mkdir(workflows);
  for (const id of mixedWorkflows)
    await writeFile(join(workflows, `${id}.workflow.yaml`), textWorkflow.replace('id: text', `id: ${id}`));
  rested.server = await startServerProcess({ dataDir, workflows });
  await mixedLoad(dataDir, rested.server.url);
  rested.since = performance.now();
}, timeoutMs(300_000));

afterAll(async () => {
  await rested.server?.stop();
  if (rested.folder !== '') await rm(rested.folder, { recursive: true, force: true, maxRetries: 3 });
});

// What a process holds is read from /proc.
it.skipIf(process.platform !== 'linux')(
  `holds no more after ${seconds} s of load than before`,
  { timeout: timeoutMs(600_000) },
  async () => {
    const server = await startText();
    try {
      const { url, pid } = server;
      const runId = await finishedRun(url);
      // What garbage collection leaves standing is there before it is measured.
      await callStatus(url, runId, performance.now() + 1000);
      const before = await gauge(pid);

      const sockets: Socket[] = [];
      for (let count = 0; count < idleSockets; count += 1) sockets.push(await holdOpen(url, ''));
      for (let count = 0; count < slowOnes; count += 1) {
        sockets.push(await holdOpen(url, head('GET', output(runId), url)));
        sockets.push(
          await holdOpen(url, head('POST', '/api/v1/workflows/text/runs/async', url, 10_000) + '{"rows":['),
        );
      }
      // The gauge sees what is held, as it would see what the server never let go of.
      await expect
        .poll(async () => (await gauge(pid)).descriptors)
        .toBeGreaterThan(before.descriptors + idleSockets / 3);

      const until = performance.now() + seconds * 1000;
      const callers = Array.from({ length: 8 }, () => callStatus(url, runId, until));
      const started = await startRuns(url, until);
      const calls = (await Promise.all(callers)).reduce((sum, count) => sum + count, 0);
      sockets.forEach((socket) => socket.destroy());
      for (const id of started)
        expect((await finalStatus(url, { workflowId: 'text', runId: id }, 60_000)).status).toBe('completed');
      expect(Object.values(await outputOf(url, 'text', started.at(-1) ?? runId))).toEqual(rows);

      // Idle row workers and kept connections go a while after their last use.
      const { after, found } = await leftOver(pid, before, 60_000);
      expect(found).toEqual([]);
      expect((await statusOf(url, 'text', runId)).status).toBe('completed');
      report(
        `load: ${Math.round(calls / seconds)} status calls/s for ${seconds} s beside ${started.length} runs of ${rowsARun} rows and ` +
          `${sockets.length} held connections; memory ${before.megabytes.toFixed(0)} → ${after.megabytes.toFixed(0)} MB, ` +
          `descriptors ${before.descriptors} → ${after.descriptors}`,
      );
    } finally {
      await server.stop();
    }
  },
);

it.skipIf(process.platform !== 'linux')(
  'finds what a server does not let go of, and a call that is not answered',
  { timeout: 60_000 },
  async () => {
    const server = await startText({ fault: 'wasteful-process.mjs' });
    try {
      const { url, pid } = server;
      const runId = await finishedRun(url);
      const before = await gauge(pid);
      await callStatus(url, runId, Infinity, 120);
      const { found } = await leftOver(pid, before, 0);
      expect(found).toEqual([
        expect.stringMatching(/^\d+ descriptors, \d+ before$/),
        expect.stringMatching(/^\d+ MB, \d+ before$/),
      ]);
      const port = Number(new URL(url).port);
      let calls = 0;
      const door = await openDoor(port, (passed) => {
        calls += 1;
        return calls === 3 ? 503 : having('Host', `127.0.0.1:${port}`)(passed);
      });
      const failing = callStatus(`http://127.0.0.1:${door}`, runId, Infinity, 5);
      await expect(failing).rejects.toThrow('expected 503 to be 200');
    } finally {
      await server.stop();
    }
  },
);

it.skipIf(process.platform !== 'linux')(
  'a server and its workers hold 250 MB at most within a minute after mixed load, and one worker is left',
  { timeout: 120_000 },
  async () => {
    const until = rested.since + 60_000;
    let now = await processesAtRest();
    while (!isAtRest(now) && performance.now() < until) {
      await setTimeout(500);
      now = await processesAtRest();
    }
    report(
      `idle: ${now.megabytes.toFixed(0)} MB in all ${((performance.now() - rested.since) / 1000).toFixed(0)} s after mixed load`,
    );
    expect(now.workers).toBe(1);
    expect(now.megabytes).toBeLessThanOrEqual(250);
  },
);

type AtRest = { readonly workers: number; readonly megabytes: number };

const isAtRest = ({ workers, megabytes }: AtRest): boolean => workers === 1 && megabytes <= 250;

/** The row workers of the rested server, and the memory of all its processes. A process may end while it is measured. */
async function processesAtRest(): Promise<AtRest> {
  const pid = rested.server?.pid ?? 0;
  const pids = [pid, ...(await descendants(pid).catch(() => []))];
  const found = await Promise.all(
    pids.map(async (each) => ({
      command: await readFile(`/proc/${each}/cmdline`, 'utf8'),
      ...(await gauge(each)),
    })),
  ).catch(() => undefined);
  if (found === undefined) return { workers: 0, megabytes: Infinity };
  return {
    workers: found.filter(({ command }) => command.includes('row-worker.cjs')).length,
    megabytes: found.reduce((sum, { megabytes }) => sum + megabytes, 0),
  };
}
