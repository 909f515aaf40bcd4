import { describe, expect, it } from 'vitest';
import { createTraceHandlers } from '../../../src-main/http/control-api/results/traces.ts';
import { openTestServices } from '../../builders/open-test-services.ts';

const visits = `rowbench: 1
id: visits
onRowError: skip
nodes:
  - { id: input, type: input }
  - id: count
    type: code
    code: |
      if (row.n % 100 === 7) throw new Error('no');
      console.log(row.n);
      return { n: row.n, chance: Math.random() };
  - { id: big, type: set, when: "=row.n > 250", values: { big: true } }
  - { id: out, type: output, after: big, fields: { chance: "=nodes.count.chance" } }
`;

async function ranVisits(rows: number) {
  const services = await openTestServices({ visits });
  const { runId } = await services.start(
    'visits',
    Array.from({ length: rows }, (_, index) => ({ n: index + 1 })),
  );
  await expect
    .poll(async () => (await services.runs.get(runId)).run.status, { timeout: 20_000 })
    .toBe('completed');
  return { services, runId, call: createTraceHandlers(services.rooms) };
}

describe('of a run that has ended', () => {
  it('a row is shown as it is kept: whole, without values, or not at all', async () => {
    const { call, runId } = await ranVisits(10_300);
    const whole = await call['run.trace']({ runId, row: 2 });
    expect(whole?.nodes.map(({ nodeId, end }) => [nodeId, end])).toEqual([
      ['input', 'done'],
      ['count', 'done'],
      ['big', 'skipped'],
      ['out', 'done'],
    ]);
    expect(whole?.nodes[1]).toMatchObject({ value: { n: 2 }, logs: [{ level: 'log', text: '2' }] });
    expect(whole?.nodes[3]?.reads).toEqual(['count']);
    const brief = await call['run.trace']({ runId, row: 301 });
    expect([brief?.hasValues, brief?.nodes[2]?.end]).toEqual([false, 'done']);
    const failed = await call['run.trace']({ runId, row: 10_207 });
    expect(failed?.nodes.map(({ end }) => end)).toEqual(['done', 'failed', 'not reached', 'not reached']);
    expect(failed?.nodes[1]?.error).toBe('Error: no');
    const last = await call['run.trace']({ runId, row: 10_300 });
    // Kept only where it happened to be slow.
    expect(last?.hasValues ?? false).toBe(false);
  });

  it('any row runs once more, with the chance it had, and nothing stored changes', async () => {
    const { services, call, runId } = await ranVisits(300);
    const before = JSON.stringify([await services.runs.get(runId), await services.outputs(runId)]);
    const stored = await call['run.trace']({ runId, row: 299 });
    const again = await call['run.traceRow']({ runId, row: 299 });
    expect(again).toMatchObject({ row: 299, state: 'done', hasValues: true, callsMadeAgain: false });
    expect(again.output).toEqual((await services.outputs(runId))[298]);
    expect((await call['run.traceRow']({ runId, row: 207 })).nodes[1]?.error).toBe('Error: no');
    expect(JSON.stringify([await services.runs.get(runId), await services.outputs(runId)])).toBe(before);
    expect(await call['run.trace']({ runId, row: 299 })).toEqual(stored);
  });

  it('the nodes are summed up over all rows', async () => {
    const { call, runId } = await ranVisits(300);
    const { rows, nodes } = await call['run.nodes']({ runId });
    expect(rows).toBe(300);
    expect(nodes.map(({ nodeId, done, failed, skipped }) => [nodeId, done, failed, skipped])).toEqual([
      ['input', 300, 0, 0],
      ['count', 297, 3, 0],
      ['big', 50, 0, 247],
      ['out', 297, 0, 0],
    ]);
    for (const { p50, p95, p99 } of nodes) {
      expect(p50).toBeLessThanOrEqual(p95 ?? 0);
      expect(p95).toBeLessThanOrEqual(p99 ?? 0);
    }
  });

  it('a row or run that is not there is refused', async () => {
    const { call, runId } = await ranVisits(1);
    await expect(call['run.trace']({ runId, row: 2 })).rejects.toThrow(
      'The run has no row 2; it has one row',
    );
    await expect(call['run.traceRow']({ runId, row: 2 })).rejects.toThrow('The run has no row 2');
    await expect(call['run.nodes']({ runId: 'nothing-here' })).rejects.toMatchObject({
      code: 'run_not_found',
    });
  });
});

it('a row that failed at its input lacks nothing: no other node ran', async () => {
  const typed = visits.replace('type: input }', 'type: input, fields: { n: { type: number } } }');
  const services = await openTestServices({ visits: typed });
  const { runId } = await services.start('visits', [{ n: 'many' }]);
  await expect.poll(async () => (await services.runs.get(runId)).run.status).toBe('completed');
  const { rooms } = services;
  const trace = await createTraceHandlers(rooms)['run.trace']({ runId, row: 1 });
  expect(trace).toMatchObject({ state: 'failed', hasValues: true });
  expect(trace?.nodes.map(({ end }) => end)).toEqual(['failed', 'not reached', 'not reached', 'not reached']);
});

it('a rerun of failed rows is traced by the numbers that its rows keep', async () => {
  const { services, call, runId } = await ranVisits(300);
  const { run } = await services.runs.rerun(runId, 'failed', { kind: 'cli' });
  await expect.poll(async () => (await services.runs.get(run.runId)).run.status).toBe('completed');
  const again = await call['run.traceRow']({ runId: run.runId, row: 107 });
  expect(again.nodes[0]?.value).toEqual({ n: 107 });
  expect((await call['run.trace']({ runId: run.runId, row: 207 }))?.nodes[0]?.value).toEqual({ n: 207 });
  await expect(call['run.trace']({ runId: run.runId, row: 8 })).rejects.toThrow(
    'The run has no row 8; it has rows 7, 107 and 207',
  );
});

it('a row of which only the failure is kept, beyond the bound of traces, shows where and why it failed', async () => {
  const services = await openTestServices({ visits }, { maxTraceBytes: 0 });
  // The first portion is given out before anything is kept.
  const rows = Array.from({ length: 2_000 }, (_, index) => ({ n: index + 1 }));
  const { runId } = await services.start('visits', rows);
  await expect
    .poll(async () => (await services.runs.get(runId)).run.status, { timeout: 20_000 })
    .toBe('completed');
  const call = createTraceHandlers(services.rooms);
  const trace = await call['run.trace']({ runId, row: 1907 });
  expect(trace).toMatchObject({ row: 1907, state: 'failed', hasValues: false });
  expect(trace?.nodes.map(({ end }) => end)).toEqual(['not kept', 'failed', 'not reached', 'not reached']);
  expect(trace?.nodes[1]?.error).toBe('Error: no');
  expect(await call['run.trace']({ runId, row: 1906 })).toBeNull();
});
