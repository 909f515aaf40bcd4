// How much the engine and the broker add to what calls take by themselves: 1,000 rows, 64 at a time, a service that
// takes 20 ms. Held against the ideal, and against a plain loop of Node's own client at the same moment, since a busy
// machine slows both.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runRows, testPool } from '../builders/execution-rig.ts';
import { testBroker } from '../builders/test-broker.ts';

const rows = 1000;
const atOnce = 64;
const idealMs = (rows * 20) / atOnce;

async function slowService(): Promise<string> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'slow-service.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill());
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return `http://127.0.0.1:${String(port).trim()}/`;
}

async function plainLoop(url: string): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const call = (): Promise<void> =>
    new Promise((resolve, reject) => {
      get(url, { agent }, (response) => response.resume().on('end', resolve)).on('error', reject);
    });
  let left = rows;
  const caller = async (): Promise<void> => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: atOnce }, caller));
  agent.destroy();
}

const workflow = (url: string): string => `rowbench: 1
id: calls
concurrency: ${atOnce}
nodes:
  - { id: input, type: input }
  - { id: service, type: http, request: { url: "${url}{{ row.n }}" } }
  - { id: result, type: output, fields: { n: "=nodes.service.body.n" } }
`;

async function fastest(times: number, act: () => Promise<void>): Promise<number> {
  let best = Infinity;
  for (let n = 0; n < times; n += 1) {
    const began = performance.now();
    await act();
    best = Math.min(best, performance.now() - began);
  }
  return best;
}

it('calls take at most half as long again as they must', async () => {
  const url = await slowService();
  const pool = testPool();
  const upstream = testBroker().broker.upstream({ workflowId: 'bench', classes: ['loopback'] });
  const list = Array.from({ length: rows }, (_, n) => ({ n }));
  const run = async (): Promise<void> => {
    const { outcome } = await runRows(workflow(url), { pool, rows: list, upstream });
    expect(outcome.kind).toBe('completed');
  };
  await run();
  const engineMs = await fastest(5, run);
  const plainMs = await fastest(5, () => plainLoop(url));
  const figures = [engineMs, plainMs, idealMs].map((ms) => Math.round(ms));
  process.stdout.write(`engine ${figures[0]} ms, plain loop ${figures[1]} ms, ideal ${figures[2]} ms\n`);
  expect(engineMs).toBeLessThan(1.5 * Math.max(plainMs, idealMs));
}, 60_000);
