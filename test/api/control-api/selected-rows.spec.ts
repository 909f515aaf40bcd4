// Actions on the selected rows of a run: their table, a rerun of them, their rows to edit, and a test.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Column, Condition, RowSelection } from '../../../src-main/contract/index.ts';
import { controlOf, type ControlCalls } from '../../builders/control-calls.ts';
import { startTestApp, type TestApp } from '../../builders/start-test-app.ts';

const scoring = `rowbench: 1
id: scoring
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: check, type: assert, that: "=row.size > 0", message: "no size" }
  - { id: result, type: output, after: [check], fields: { score: "=row.size * 2" } }
`;

let app: TestApp;
let control: ControlCalls;

const completed = async (id: string): Promise<string> => {
  await expect.poll(async () => (await app.handlers['run.show']({ runId: id })).status).toBe('completed');
  return id;
};

beforeAll(async () => {
  app = await startTestApp({ workflows: { scoring }, limits: 'off' });
  control = await controlOf(app);
});

afterAll(() => app.close());

/** A run of six rows, of which the second and the fourth fail. */
const scoredRun = async (): Promise<string> =>
  completed(
    await app.run(
      'scoring',
      [5, 0, 9, 0, 2, 7].map((size) => ({ size })),
    ),
  );

const scoreAbove = (min: number): Condition => ({
  of: 'column',
  column: { of: 'output', name: 'score' },
  test: { is: 'between', min },
});
const selectionOf = (...conditions: Condition[]): RowSelection => ({
  conditions,
  sort: { column: { of: 'output', name: 'score' }, descending: true },
});

async function tableOf(id: string, selection: RowSelection) {
  for (;;) {
    const page = await app.handlers['run.table']({ runId: id, selection, from: 1, count: 100 });
    if (page.isReady) return page;
  }
}

const rowsOf = (text: string): unknown[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as unknown);

describe('selected rows', () => {
  it('of a run are a table in the order of the selection', async () => {
    const runId = await scoredRun();
    const { rows, total } = await tableOf(runId, selectionOf(scoreAbove(10)));
    expect([total, rows.map(({ row }) => row)]).toEqual([3, [3, 6, 1]]);
  });

  it('are run again in the order of the run, with their numbers', async () => {
    const runId = await scoredRun();
    const rerun = await app.handlers['run.rerun']({
      runId,
      rows: { selection: selectionOf(scoreAbove(10)) },
    });
    await completed(rerun.runId);
    expect(rerun.rows).toBe(3);
    const { rows } = await tableOf(rerun.runId, { conditions: [] });
    expect(rows.map(({ position, row }) => [position, row])).toEqual([
      [1, 1],
      [2, 3],
      [3, 6],
    ]);
    // Rows of the rerun are found by their numbers.
    const again = await app.handlers['run.rerun']({
      runId: rerun.runId,
      rows: { selection: { conditions: [{ of: 'rows', numbers: [6, 99] }] } },
      from: 'result',
    });
    await completed(again.runId);
    expect((await tableOf(again.runId, { conditions: [] })).rows.map(({ row }) => row)).toEqual([6]);
  });

  it('that are none cannot be run again', async () => {
    const runId = await scoredRun();
    const nothing = { runId, rows: { selection: selectionOf(scoreAbove(100)) } };
    await expect(app.handlers['run.rerun'](nothing)).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(app.handlers['run.fixture'](nothing)).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('are handed out to be edited', async () => {
    const runId = await scoredRun();
    const body = JSON.stringify({ selection: { conditions: [{ of: 'state', states: ['failed'] }] } });
    const answer = await control.send(`/runs/${runId}/rows`, { body });
    expect(rowsOf(answer.text)).toEqual([
      [2, { size: 0 }],
      [4, { size: 0 }],
    ]);
    expect(await control.send(`/runs/${runId}/rows`, { body: '{"selection":{}}' })).toMatchObject({
      status: 400,
    });
    const unknown = await control.send('/runs/0197a0c2-0000-7000-8000-0123456789ab/rows', { body });
    expect(unknown).toMatchObject({ status: 404 });
  });

  it('become rows of a test', async () => {
    const runId = await scoredRun();
    const { rows } = await app.handlers['run.fixture']({
      runId,
      rows: { selection: selectionOf(scoreAbove(10)) },
    });
    expect(rows.map(({ row }) => row)).toEqual([1, 3, 6]);
  });

  it('of a run and of its reruns are one table with the latest answers, and run again together', async () => {
    const original = await scoredRun();
    const started = await control.send(`/workflows/scoring/runs?rerunOf=${original}`, {
      body: '{"numbers":[1,4],"rows":[{"size":50},{"size":0}]}',
    });
    const rerun = (JSON.parse(started.text) as { data: { runId: string } }).data.runId;
    await completed(rerun);
    expect(await app.handlers['run.show']({ runId: rerun })).toMatchObject({ originalRunId: original });
    const selection: RowSelection = { ...selectionOf(scoreAbove(14)), latest: true };
    const { rows, merged } = await tableOf(original, selection);
    expect(merged).toEqual({ runIds: [original, rerun], rows: 6 });
    expect(rows.map(({ row, runId }) => [row, runId])).toEqual([
      [1, rerun],
      [3, original],
      [6, original],
    ]);
    const latest = { runId: original, latest: true };
    expect(await app.handlers['run.causes'](latest)).toMatchObject({
      failed: 2,
      groups: [{ nodeId: 'check', rows: 2, firstRows: [2, 4] }],
    });
    const column: Column = { of: 'output', name: 'score' };
    expect(await app.handlers['run.columns'](latest)).toContainEqual(column);
    const step = await app.handlers['run.statistics']({ ...latest, columns: [column] });
    expect(step).toMatchObject({ isReady: true, statistics: [{ numbers: { max: 100 } }] });
    const again = await app.handlers['run.rerun']({ runId: original, rows: { selection } });
    await completed(again.runId);
    const repeated = await tableOf(again.runId, { conditions: [] });
    expect(repeated.rows.map(({ row, input }) => [row, input[0]?.text])).toEqual([
      [1, '50'],
      [3, '9'],
      [6, '7'],
    ]);
    const exported = await control.send(`/runs/${original}/export`, {
      body: JSON.stringify({ options: { format: 'csv', rowNumbers: true }, selection }),
    });
    expect(exported.text).toBe('row,score\n1,100\n3,18\n6,14\n');
  });

  it('have cells of the nodes of their run, and are found by how a node ended', async () => {
    const runId = await scoredRun();
    const failedAtCheck = { of: 'node', nodeId: 'check', ends: ['failed'] } as const;
    const request = { runId, selection: selectionOf(failedAtCheck), from: 1, count: 100 };
    const page = await app.handlers['run.table']({ ...request, nodes: 'all' });
    if (!page.isReady) throw new Error('six rows are read at once');
    expect(page.nodes).toEqual([
      { nodeId: 'input', type: 'input' },
      { nodeId: 'check', type: 'assert' },
      { nodeId: 'result', type: 'output' },
    ]);
    expect(page.rows.map(({ row, cells }) => [row, cells?.map((cell) => cell?.end)])).toEqual([
      [2, ['done', 'failed', 'not reached']],
      [4, ['done', 'failed', 'not reached']],
    ]);
    const some = await app.handlers['run.table']({ ...request, nodes: ['result', 'gone'] });
    expect(some).toMatchObject({ nodes: [{ nodeId: 'result' }], rows: [{ cells: [{}] }, {}] });
  });

  it('have known conditions only', async () => {
    const body = JSON.stringify({
      runId: await scoredRun(),
      selection: { conditions: [{ of: 'sql' }] },
      from: 1,
      count: 1,
    });
    expect(await control.send('/call/run.table', { body })).toMatchObject({ status: 400 });
  });
});
