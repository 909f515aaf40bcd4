// Rows that call a service: one call per row, up to the requested concurrency, and the same call again after a crash.
import { join } from 'node:path';
import { mkdir, writeFile } from 'node:fs/promises';
import { expect, it, onTestFinished } from 'vitest';
import { awakeMsOf } from '../../builders/awake-ms.ts';
import { finalStatus, outputOf, trigger } from '../../builders/api-client.ts';
import { planOf, runRows, testExecution, testPool } from '../../builders/execution-rig.ts';
import { runCli } from '../../builders/run-cli.ts';
import { startServerProcess } from '../../builders/server-process.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';
import { testBroker } from '../../builders/test-broker.ts';
import { hang, inSequence, json, slowly, startUpstream } from '../../builders/upstream-server.ts';

const workflow = (url: string, more = ''): string => `rowbench: 1
id: calls
concurrency: 64
onRowError: skip
nodes:
  - { id: input, type: input }
  - id: service
    type: http
    request: { method: POST, url: "${url}", body: "=row" }
    timeout: 20s
${more}
  - { id: result, type: output, fields: { n: "=nodes.service.body.n" } }
`;

const upstreamOfTest = () => testBroker().broker.upstream({ workflowId: 'calls', classes: ['loopback'] });
const numbered = (rows: number) => Array.from({ length: rows }, (_, n) => ({ n }));
const echo = (call: { body: string }, response: Parameters<typeof hang>[1]): void =>
  json(JSON.parse(call.body))(call as never, response);

it('1,000 rows make 1,000 calls, each with a key of its own, and get their own answers', async () => {
  const upstream = await startUpstream({ '/': slowly(20, echo) });
  const pool = testPool();
  const rows = numbered(1000);
  const { outcome, outputs } = await runRows(workflow(upstream.url('/')), {
    pool,
    rows,
    upstream: upstreamOfTest(),
  });
  expect(outcome.kind).toBe('completed');
  expect(outputs).toEqual(rows);
  expect(upstream.count('/')).toBe(1000);
  expect([...upstream.keys().values()].filter((times) => times > 1)).toEqual([]);
});

it('a retry of a row carries the same key', async () => {
  const upstream = await startUpstream({ '/': inSequence(json({}, 500), json({}, 500), json({ n: 7 })) });
  const retry = '    retry: { attempts: 3, delay: 1ms }';
  const { outputs } = await runRows(workflow(upstream.url('/'), retry), {
    pool: testPool(),
    rows: [{ n: 1 }],
    upstream: upstreamOfTest(),
  });
  expect(outputs).toEqual([{ n: 7 }]);
  expect([...upstream.keys()]).toEqual([[expect.stringMatching(/^test-run\/.+_000001\/service$/), 3]]);
});

it('a run whose calls hang is cancelled in less than a second', async () => {
  const upstream = await startUpstream({ '/': hang });
  const { execution } = testExecution(planOf(workflow(upstream.url('/'))), {
    pool: testPool(),
    rows: numbered(64),
    upstream: upstreamOfTest(),
  });
  const ended = execution.run();
  await expect.poll(() => upstream.count('/'), { timeout: 10_000 }).toBe(64);
  expect(await awakeMsOf(() => execution.cancel())).toBeLessThan(1000);
  expect(await ended).toEqual({ kind: 'cancelled' });
  await expect.poll(() => upstream.abandoned()).toBe(64);
});

it('after a kill every row has its output, and what was called again carried the same key', async () => {
  const upstream = await startUpstream({ '/': slowly(30, echo) });
  const folder = await temporaryFolder();
  const dataDir = join(folder, 'data');
  await mkdir(dataDir);
  await writeFile(join(folder, 'calls.workflow.yaml'), workflow(upstream.url('/')));
  const start = () => startServerProcess({ dataDir, workflows: folder });
  const first = await start();
  onTestFinished(() => first.kill());
  await runCli(['grants', 'allow', 'calls', 'loopback', '--data', dataDir]);
  const runId = await trigger(first.url, 'calls', numbered(400));
  await expect.poll(() => upstream.count('/'), { timeout: 10_000 }).toBeGreaterThan(150);
  await first.kill();
  const second = await start();
  onTestFinished(() => second.kill());
  const status = await finalStatus(second.url, { workflowId: 'calls', runId });
  expect(status.status).toBe('completed');
  const output = await outputOf(second.url, 'calls', runId);
  expect(JSON.stringify(output).match(/"n":\d+/g)).toEqual(numbered(400).map(({ n }) => `"n":${n}`));
  const keysOfRow = new Map<string, Set<string>>();
  for (const { body, key } of upstream.calls)
    keysOfRow.set(body, (keysOfRow.get(body) ?? new Set()).add(key));
  expect(keysOfRow.size).toBe(400);
  expect([...keysOfRow.values()].every((keys) => keys.size === 1)).toBe(true);
  expect(upstream.keys().size).toBe(400);
});
