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
import { atMost, median, medianRatio, report } from './figures.ts';

const rows = 1000;
const atOnce = 64;
/** Unmeasured runs of the engine and of the plain loop. */
const warmUps = 5;
const idealMs = (rows * 20) / atOnce;

async function slowService(): Promise<string> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'slow-service.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill());
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return `http://127.0.0.1:${String(port).trim()}/`;
}

/** Keeps its connections, as the broker does. */
const agent = new Agent({ keepAlive: true, maxSockets: atOnce });

async function plainLoop(url: string): Promise<void> {
  const call = (): Promise<void> =>
    new Promise((resolve, reject) => {
      get(url, { agent }, (response) => response.resume().on('end', resolve)).on('error', reject);
    });
  let left = rows;
  const caller = async (): Promise<void> => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: atOnce }, caller));
}

const workflow = (url: string): string => `rowbench: 1
id: calls
concurrency: ${atOnce}
nodes:
  - { id: input, type: input }
  - { id: service, type: http, request: { url: "${url}{{ row.n }}" } }
  - { id: result, type: output, fields: { n: "=nodes.service.body.n" } }
`;

async function timed(act: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await act();
  return performance.now() - began;
}

it('calls of a run, compared with a plain loop of calls', { timeout: 60_000 }, async () => {
  const url = await slowService();
  const pool = testPool();
  const upstream = testBroker().broker.upstream({ workflowId: 'bench', classes: ['loopback'] });
  const list = Array.from({ length: rows }, (_, n) => ({ n }));
  const run = async (): Promise<void> => {
    const { outcome } = await runRows(workflow(url), { pool, rows: list, upstream });
    expect(outcome.kind).toBe('completed');
  };
  onTestFinished(() => agent.destroy());
  for (let round = 0; round < warmUps; round += 1) {
    await run();
    await plainLoop(url);
  }
  const engine: number[] = [];
  const plain: number[] = [];
  for (let turn = 0; turn < 7; turn += 1) {
    const isOursFirst = turn % 2 === 0;
    if (isOursFirst) engine.push(await timed(run));
    plain.push(await timed(() => plainLoop(url)));
    if (!isOursFirst) engine.push(await timed(run));
  }
  const least = (times: readonly number[]): number => Math.min(...times);
  expect(least(engine)).toBeLessThan(1.5 * Math.max(least(plain), idealMs));
  const ms = (times: readonly number[]): string => `${median(times).toFixed(0)} ms`;
  report(
    atMost(1.5, {
      what: `${rows.toLocaleString('en-US')} calls of 20 ms, ${atOnce} at once, by engine and broker`,
      ours: ms(engine),
      baseline: `plain loop of calls ${ms(plain)}, at least ${idealMs.toFixed(0)} ms`,
      ratio: medianRatio(
        engine,
        plain.map((taken) => Math.max(taken, idealMs)),
      ),
    }),
  );
});
