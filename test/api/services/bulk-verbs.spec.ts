// One verb on many runs, over real files. Nothing executes unless a test says so.
import { expect, it } from 'vitest';
import type { BulkOrder } from '../../../src-main/services/runs/move-runs.ts';
import { moveRuns } from '../../../src-main/services/runs/move-runs.ts';
import { openTestServices, type TestServices } from '../../builders/open-test-services.ts';

const flow = (id: string): string => `rowbench: 1
id: ${id}
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: check, type: assert, that: "=row.n !== 2", message: "two is not welcome" }
  - { id: result, type: output, after: [check], fields: { n: "=row.n" } }
`;
const workflows = { one: flow('one'), other: flow('other') };

const order = (overrides: Partial<BulkOrder> & Pick<BulkOrder, 'verb'>): BulkOrder => ({
  filter: {},
  limit: 1000,
  rows: 'all',
  origin: { kind: 'cli' },
  ...overrides,
});

const startAll = async (services: TestServices, ids: readonly string[]): Promise<string[]> => {
  const started: string[] = [];
  for (const id of ids) started.push((await services.start(id, [{ n: 1 }, { n: 2 }])).runId);
  return started;
};

it('cancels the queued runs of one workflow, the newest first, and no other', async () => {
  const services = await openTestServices(workflows, { executes: false });
  const [first, second, third] = await startAll(services, ['one', 'other', 'one']);
  const answer = await moveRuns(services.runs, order({ verb: 'cancel', filter: { workflowId: 'one' } }));
  expect(answer).toEqual({
    results: [third, first].map((runId) => ({ runId, outcome: 'moved', status: 'cancelled' })),
    remaining: 0,
  });
  expect((await services.runs.get(second ?? '')).run.status).toBe('queued');
});

it('acts on so many runs at most, and says how many are left', async () => {
  const services = await openTestServices(workflows, { executes: false });
  await startAll(services, ['one', 'one', 'one']);
  const answer = await moveRuns(services.runs, order({ verb: 'pause', limit: 2 }));
  expect([answer.results.length, answer.remaining]).toEqual([2, 1]);
});

it('passes over runs that the verb cannot be done to', async () => {
  const services = await openTestServices(workflows, { executes: false });
  const [first, second] = await startAll(services, ['one', 'one']);
  await services.runs.cancel(first ?? '');
  const answer = await moveRuns(services.runs, order({ verb: 'pause' }));
  expect(answer.results.map(({ runId }) => runId)).toEqual([second]);
});

it('tells of each run that was named what became of it', async () => {
  const services = await openTestServices(workflows, { executes: false });
  const [first = '', second = '', third = ''] = await startAll(services, ['one', 'one', 'one']);
  await services.runs.cancel(first);
  await services.runs.pause(second);
  const unknown = '019aa001-0000-7000-8000-00000000ffff';
  const runIds = [first, second, third, unknown];
  const { results } = await moveRuns(services.runs, order({ verb: 'pause', filter: { runIds } }));
  expect(results).toEqual([
    { runId: first, outcome: 'refused', status: 'cancelled', reason: 'A cancelled run cannot be paused' },
    { runId: second, outcome: 'refused', status: 'paused', reason: 'The run is already paused' },
    { runId: third, outcome: 'moved', status: 'paused' },
    { runId: unknown, outcome: 'refused', reason: 'Workflow run not found' },
  ]);
});

it('leaves a named run alone that no longer fits', async () => {
  const services = await openTestServices(workflows, { executes: false });
  const [runId = ''] = await startAll(services, ['one']);
  await services.runs.pause(runId);
  const filter = { runIds: [runId], status: 'queued' } as const;
  const { results } = await moveRuns(services.runs, order({ verb: 'cancel', filter }));
  expect(results).toEqual([{ runId, outcome: 'left', status: 'paused' }]);
});

it('reruns the failed rows of all that have some, in their order', async () => {
  const services = await openTestServices(workflows);
  const [first = '', second = ''] = await startAll(services, ['one', 'other']);
  const clean = await services.start('one', [{ n: 1 }]);
  for (const runId of [first, second, clean.runId])
    await expect.poll(async () => (await services.runs.get(runId)).run.status).toBe('completed');
  const { results } = await moveRuns(services.runs, order({ verb: 'rerun', rows: 'failed' }));
  expect(results).toMatchObject([
    { runId: first, outcome: 'moved', status: 'completed' },
    { runId: second, outcome: 'moved', status: 'completed' },
  ]);
  const again = await Promise.all(results.map(({ newRunId = '' }) => services.runs.get(newRunId)));
  expect(again.map(({ run }) => [run.rerunOf, run.rows])).toEqual([
    [first, 1],
    [second, 1],
  ]);
});

it('links a run to its reruns, newest first, over a restart', async () => {
  const services = await openTestServices(workflows, { executes: false });
  const [runId = ''] = await startAll(services, ['one']);
  const second = (await services.runs.rerun(runId, 'all', { kind: 'cli' })).run.runId;
  const third = (await services.runs.rerun(runId, 'all', { kind: 'cli' })).run.runId;
  const links = { isOriginalGone: false, originalRunId: runId, isMerged: false, reruns: [third, second] };
  expect((await services.runs.links(runId, 1)).reruns).toEqual([third]);
  expect(await services.runs.links(runId, 10)).toEqual(links);
  await services.close();
  const reopened = await openTestServices({}, { dataDir: services.dataDir, executes: false });
  expect(await reopened.runs.links(runId, 10)).toEqual(links);
  expect(await reopened.runs.links(third, 10)).toEqual({
    isOriginalGone: false,
    originalRunId: third,
    isMerged: false,
    reruns: [],
  });
  expect(await reopened.runs.resolve(third.slice(-6))).toBe(third);
});
