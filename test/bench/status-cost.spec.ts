// The cost of a status call to the real server without limits, compared with the smallest Koa server that answers from
// memory. Measures each process's processor time in turns, so that both meet the same load of the machine.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { it, onTestFinished } from 'vitest';
import { finalStatus, trigger } from '../builders/api-client.ts';
import { cpuMsOf } from '../builders/process-usage.ts';
import { startServerProcess, testKey } from '../builders/server-process.ts';
import { sampleWorkflows, statusPath } from '../builders/start-test-app.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';
import { atLeast, report } from './figures.ts';

/** Status calls per turn. */
const calls = 5_000;
const lanes = 4;
const rounds = 12;
/** Warm-up rounds, until the engine has optimized the code. */
const warmUps = 4;

type Served = {
  readonly port: number;
  readonly pid: number;
  readonly path: string;
  readonly micros: number[];
};

it.runIf(process.platform === 'linux')(
  'answers status calls beside a bare Koa server',
  { timeout: 120_000 },
  async () => {
    const served = { rowbench: await startRowbench(), koa: await startKoa() };
    for (let turn = -warmUps; turn < rounds; turn += 1) {
      for (const kind of turn % 2 === 0 ? (['rowbench', 'koa'] as const) : (['koa', 'rowbench'] as const)) {
        const micros = await callMicros(served[kind]);
        if (turn >= 0) served[kind].micros.push(micros);
      }
    }
    const [ours, bare] = [lowerQuartile(served.rowbench.micros), lowerQuartile(served.koa.micros)];
    report(
      atLeast(0.5, {
        what: 'status calls, by processor time of the server',
        ours: `${ours.toFixed(0)} µs`,
        baseline: `Koa with an answer in memory ${bare.toFixed(0)} µs`,
        ratio: bare / ours,
      }),
    );
  },
);

async function startRowbench(): Promise<Served> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'echo.workflow.yaml'), sampleWorkflows.echo);
  const server = await startServerProcess({ dataDir: join(folder, 'data'), workflows: folder });
  onTestFinished(() => server.kill());
  const runId = await trigger(server.url, 'echo', [{ n: 1 }]);
  await finalStatus(server.url, { workflowId: 'echo', runId });
  return {
    port: Number(new URL(server.url).port),
    pid: server.pid,
    path: statusPath('echo', runId),
    micros: [],
  };
}

async function startKoa(): Promise<Served> {
  const script = fileURLToPath(new URL('bare-koa.mjs', import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  const path = statusPath('echo', '01900000-0000-7000-8000-000000000000');
  return { port: Number(port), pid: child.pid ?? 0, path, micros: [] };
}

async function callMicros({ port, pid, path }: Served): Promise<number> {
  const before = await cpuMsOf(pid);
  await Promise.all(Array.from({ length: lanes }, () => callInTurn({ port, path, calls: calls / lanes })));
  return ((await cpuMsOf(pid)) - before) * (1000 / calls);
}

/** Asks on connections of its own, each for as many answers as a server gives on one. */
async function callInTurn(how: { port: number; path: string; calls: number }): Promise<void> {
  for (let left = how.calls; left > 0; left -= 1_000)
    await callOnOne({ ...how, calls: Math.min(left, 1_000) });
}

function callOnOne({
  port,
  path,
  calls: total,
}: {
  port: number;
  path: string;
  calls: number;
}): Promise<void> {
  const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nx-service-key: ${testKey}\r\n\r\n`;
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request)).setNoDelay(true);
    let left = total;
    let text = '';
    socket.once('error', reject);
    socket.on('data', (piece) => {
      text += piece.toString('latin1');
      const body = text.indexOf('\r\n\r\n') + 4;
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1]);
      if (body < 4 || text.length < body + length) return;
      if (!text.startsWith('HTTP/1.1 200 ')) reject(new Error(text));
      text = '';
      left -= 1;
      if (left > 0) return void socket.write(request);
      socket.destroy();
      resolve();
    });
  });
}

const lowerQuartile = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 2] ?? Number.NaN;
