// Calls with a limit, made by row workers through the broker.
import { expect, it } from 'vitest';
import { planOf, testExecution, testPool } from '../../builders/execution-rig.ts';
import { testBroker } from '../../builders/test-broker.ts';
import { startUpstream } from '../../builders/upstream-server.ts';

async function start(limit: string, rows: number) {
  const upstream = await startUpstream();
  const plan = planOf(`nodes:
  - { id: input, type: input }
  - { id: call, type: http, request: { url: "${upstream.url('/')}" }, limit: ${limit} }
  - { id: out, type: output, fields: { ok: "=nodes.call.body.ok" } }
`);
  const calls = testBroker().broker.upstream({ workflowId: 'test', classes: ['loopback'] });
  const rig = testExecution(plan, {
    pool: testPool(),
    rows: Array.from({ length: rows }, () => ({})),
    upstream: calls,
  });
  return { upstream, ...rig };
}

it('rows call no faster than the limit says, and their traces say how long each call waited', async () => {
  const { execution, sink } = await start('20/s', 6);
  const began = performance.now();
  await execution.run();
  expect(performance.now() - began).toBeGreaterThan(240);
  expect(sink.outputs).toEqual(Array(6).fill({ ok: true }));
  const waits = sink.traces.flatMap(({ calls }) => calls.map(({ waitedMs }) => waitedMs ?? 0));
  expect(waits).toHaveLength(6);
  expect(Math.max(...waits)).toBeGreaterThan(20);
});

it('a pause does not wait for calls that have not begun, and they begin after it', async () => {
  const { execution, upstream, sink } = await start('1/s', 3);
  const run = execution.run();
  await expect.poll(() => upstream.calls.length).toBe(1);
  await execution.pause();
  expect(execution.isPaused).toBe(true);
  expect(upstream.calls).toHaveLength(1);
  execution.resume();
  expect(await run).toEqual({ kind: 'completed' });
  expect(upstream.calls).toHaveLength(3);
  expect(sink.outputs).toHaveLength(3);
});

it('a run whose calls wait is cancelled at once', async () => {
  const { execution, upstream } = await start('1/h', 3);
  const run = execution.run();
  await expect.poll(() => upstream.calls.length).toBe(1);
  await execution.cancel();
  expect(await run).toEqual({ kind: 'cancelled' });
  expect(upstream.calls).toHaveLength(1);
});
