// The real server under load of all kinds at once, without limits: status calls at full speed, runs of 1,000 rows, idle
// connections, slow readers and slow writers. The server answers throughout. After the load, its memory and its file
// descriptors are back to their values from before. ROWBENCH_PROOF=long keeps the load up for a minute.
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { finalStatus, outputOf, statusOf, trigger } from '../builders/api-client.ts';
import { having, openDoor } from '../builders/open-door.ts';
import { residentMbOf } from '../builders/process-usage.ts';
import { startServerProcess, testKey, type ServerProcess } from '../builders/server-process.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';
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
const gauge = async (pid: number): Promise<Usage> => ({
  megabytes: await residentMbOf(pid),
  descriptors: (await readdir(`/proc/${pid}/fd`)).length,
});

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
