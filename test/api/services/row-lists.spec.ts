import { describe, expect, it } from 'vitest';
import { createTraceHandlers } from '../../../src-main/http/control-api/results/traces.ts';
import { openTestServices } from '../../builders/open-test-services.ts';

const mixed = `rowbench: 1
id: mixed
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: wait, type: delay, when: "=row.n % 50 === 0", for: 40ms }
  - id: check
    type: code
    after: wait
    code: |
      if (row.n % 100 === 7) throw new Error('no');
      return row.n;
  - { id: out, type: output, fields: { n: "=nodes.check" } }
`;

async function ranMixed(rows: number) {
  const services = await openTestServices({ mixed });
  const { runId } = await services.start(
    'mixed',
    Array.from({ length: rows }, (_, index) => ({ n: index + 1 })),
  );
  await expect
    .poll(async () => (await services.runs.get(runId)).run.status, { timeout: 20_000 })
    .toBe('completed');
  return { services, runId, call: createTraceHandlers(services.rooms) };
}

describe('the rows of a run', () => {
  it('are picked out by the server, with their nodes, from any place of the list', async () => {
    const { call, runId } = await ranMixed(400);
    const failed = await call['run.rows']({ runId, from: 2, count: 2, only: 'failed' });
    expect([failed.total, failed.rows.map(({ row, state }) => [row, state])]).toEqual([
      4,
      [
        [107, 'failed'],
        [207, 'failed'],
      ],
    ]);
    expect(failed.rows[0]?.nodes?.map(({ end }) => end)).toEqual([
      'done',
      'skipped',
      'failed',
      'not reached',
    ]);
    const slow = await call['run.rows']({ runId, from: 1, count: 400, only: 'slow' });
    expect(slow.rows.map(({ row }) => row)).toEqual(expect.arrayContaining([50, 100, 150]));
    expect((await call['run.rows']({ runId, from: 1, count: 1, only: 'skipped' })).total).toBe(392);
    expect((await call['run.rows']({ runId, from: 5, count: 10, only: 'failed' })).rows).toEqual([]);
  });

  it('have the first text of each row, and values of nodes if they are requested', async () => {
    const services = await openTestServices({ mixed });
    const { runId } = await services.start('mixed', [
      { n: 1, name: 'Ada' },
      { n: 7, name: '', city: 'Oslo' },
      { n: 3 },
    ]);
    await expect
      .poll(async () => (await services.runs.get(runId)).run.status, { timeout: 20_000 })
      .toBe('completed');
    const call = createTraceHandlers(services.rooms);
    const plain = await call['run.rows']({ runId, from: 1, count: 3 });
    expect(plain.rows.map(({ label, values }) => [label, values])).toEqual([
      [{ field: 'name', text: 'Ada' }, undefined],
      [{ field: 'city', text: 'Oslo' }, undefined],
      [undefined, undefined],
    ]);
    const { rows } = await call['run.rows']({ runId, from: 1, count: 3, values: true });
    expect(rows.map(({ values }) => values)).toEqual([
      ['n: 1, name: Ada', null, '1', 'n: 1'],
      ['n: 7, name: , city: Oslo', null, null, null],
      ['n: 3', null, '3', 'n: 3'],
    ]);
    const picked = await call['run.rows']({ runId, from: 1, count: 3, only: 'failed', values: true });
    expect(picked.rows.map(({ label, values }) => [label?.text, values?.[0]])).toEqual([
      ['Oslo', 'n: 7, name: , city: Oslo'],
    ]);
  });

  it('are counted and drawn all at once', async () => {
    const { call, runId } = await ranMixed(400);
    const minimap = await call['run.minimap']({ runId, pieces: 4 });
    expect(minimap).toMatchObject({
      rows: 400,
      counts: { failed: 4, skipped: 392, retried: 0, unfinished: 0 },
      rowsPerPiece: 100,
    });
    expect(minimap.pieces.map(([failed, , ended]) => [failed, ended])).toEqual(
      Array.from({ length: 4 }, () => [1, 100]),
    );
    // On a busy machine a row that does not wait can be slow too.
    for (const [, slow] of minimap.pieces) expect(slow).toBeGreaterThanOrEqual(2);
    expect(minimap.counts.slow).toBe(minimap.pieces.reduce((sum, [, slow]) => sum + slow, 0));
    expect(minimap.slowMs).toBeGreaterThanOrEqual(10);
  });

  it('have a place in each list, or lead to the next that has', async () => {
    const { call, runId } = await ranMixed(400);
    const locate = (row: number, only?: 'failed' | 'retried') =>
      call['run.rowLocation']({ runId, target: { row }, only });
    expect(await locate(300)).toEqual({ index: 300, row: 300, isThere: true });
    expect(await locate(207, 'failed')).toEqual({ index: 3, row: 207, isThere: true });
    expect(await locate(208, 'failed')).toEqual({ index: 4, row: 307, isThere: false });
    expect(await locate(399, 'failed')).toEqual({ index: 4, row: 307, isThere: false });
    expect(await locate(1, 'retried')).toBeNull();
    await expect(locate(401)).rejects.toThrow('The run has no row 401');
  });

  it('keep their numbers in a rerun of some', async () => {
    const { services, call, runId } = await ranMixed(400);
    const { run } = await services.runs.rerun(runId, 'failed', { kind: 'app' });
    await expect.poll(async () => (await services.runs.get(run.runId)).run.status).toBe('completed');
    const again = { runId: run.runId, only: 'skipped' } as const;
    const { total, rows } = await call['run.rows']({ ...again, from: 3, count: 5 });
    expect([total, rows.map(({ row }) => row)]).toEqual([4, [207, 307]]);
    expect(await call['run.rowLocation']({ ...again, target: { row: 207 } })).toMatchObject({ index: 3 });
    expect(await call['run.rowLocation']({ ...again, target: { position: 4 } })).toMatchObject({ row: 307 });
  });

  it('that are still to come are in the strip, and in no list', async () => {
    const waiting = mixed.replace('id: mixed', 'id: waiting').replace('for: 40ms', 'for: 1h');
    const services = await openTestServices({ waiting });
    const { runId } = await services.start(
      'waiting',
      Array.from({ length: 60 }, (_, index) => ({ n: index + 1 })),
    );
    const call = createTraceHandlers(services.rooms);
    const ended = async () => (await call['run.rows']({ runId, from: 1, count: 1 })).total;
    await expect.poll(ended, { timeout: 10_000 }).toBeGreaterThanOrEqual(10);
    const { rows, pieces } = await call['run.minimap']({ runId, pieces: 6 });
    expect(pieces.reduce((sum, [, , there]) => sum + there, 0)).toBe(rows);
    expect([pieces.length, pieces[0]?.[2], pieces[5]?.[2]]).toEqual([6, 10, 0]);
    expect((await call['run.rows']({ runId, from: 1, count: 100, only: 'failed' })).total).toBe(1);
  });
});

it('how long rows took in a node is counted by parts of doublings', async () => {
  const { call, runId } = await ranMixed(100);
  const wait = (await call['run.nodes']({ runId })).nodes[1];
  expect(wait?.latency.reduce((sum, { rows }) => sum + rows, 0)).toBe(2);
  for (const { fromMs, toMs } of wait?.latency ?? [])
    expect([fromMs >= 24, toMs > fromMs]).toEqual([true, true]);
});

describe('values of nodes', () => {
  it('are read for rows that are far apart, in their order', async () => {
    const { call, runId } = await ranMixed(400);
    const read = await call['run.nodeValues']({ runId, rows: [107, 2, 398], nodes: ['check', 'none'] });
    const number = (text: string) => ({ kind: 'number', text });
    expect(read).toEqual([
      { row: 107, values: [null, null] },
      { row: 2, values: [number('2'), null] },
      { row: 398 },
    ]);
  });
});
