// A run gets as many workers as its work is worth. Specs count processes, not time.
import { availableParallelism } from 'node:os';
import { beforeAll, expect, it } from 'vitest';
import { deferred } from '../../../src-main/base/deferred.ts';
import { VirtualClock } from '../../../src-main/base/virtual-clock.ts';
import { planOf, runRows, testExecution, testPool } from '../../builders/execution-rig.ts';
import { closeSharedWorkers } from '../../builders/processes-for-tests.ts';
import { rowWorkers } from '../../builders/row-workers.ts';
import { jsonAnswer, scriptedUpstream } from '../../builders/scripted-upstream.ts';

beforeAll(closeSharedWorkers);

const rowsOf = (count: number): { n: number }[] => Array.from({ length: count }, (_, n) => ({ n }));
/** Two, or one where the machine has one core. */
const atLeastTwo = Math.min(2, availableParallelism());

const quick = `
nodes:
  - { id: input, type: input }
  - { id: double, type: set, values: { n: "=row.n * 2" } }
  - { id: out, type: output, fields: { n: "=nodes.double.n" } }`;
/** Each row computes for some milliseconds. */
const slow = `
nodes:
  - { id: input, type: input }
  - id: work
    type: code
    code: let h = row.n; for (let i = 0; i < 6_000_000; i += 1) h = Math.imul(h ^ i, 16777619); return { h };
  - { id: out, type: output, fields: { n: "=row.n", h: "=nodes.work.h" } }`;
const calling = `concurrency: 40
nodes:
  - { id: input, type: input }
  - { id: call, type: http, request: { url: "https://x.example/{{ row.n }}" } }
  - { id: out, type: output, fields: { n: "=nodes.call.body" } }`;

it('a run of 1,000 quick rows uses one worker', async () => {
  const rows = rowsOf(1000);
  const { outputs } = await runRows(quick, { rows, pool: testPool({}) });
  expect(outputs).toEqual(rows.map(({ n }) => ({ n: n * 2 })));
  expect(await rowWorkers()).toHaveLength(1);
});

it('a second run of 1,000 quick rows uses the worker of the first one', async () => {
  const pool = testPool({});
  const plan = planOf(quick);
  for (let run = 0; run < 2; run += 1)
    await testExecution(plan, { rows: rowsOf(1000), pool }).execution.run();
  expect(await rowWorkers()).toHaveLength(1);
});

it('a run of 200 rows that compute for long uses a further worker', async () => {
  const { outputs } = await runRows(slow, { rows: rowsOf(200), pool: testPool({}) });
  expect(outputs).toHaveLength(200);
  expect((await rowWorkers()).length).toBeGreaterThanOrEqual(atLeastTwo);
});

it.each([
  { count: 20_000, workers: 1 },
  { count: 30_000, workers: atLeastTwo },
])('the number of workers of a run of $count quick rows is $workers', async ({ count, workers }) => {
  await runRows(quick, { rows: rowsOf(count), pool: testPool({}) });
  expect(await rowWorkers()).toHaveLength(workers);
});

it('a run of 1,000 rows whose expressions compute for long uses a further worker', async () => {
  const sum = '=Array.from({ length: 20_000 }, (_, i) => i % row.n).reduce((one, next) => one + next, 0)';
  await runRows(quick.replace('=row.n * 2', sum), { rows: rowsOf(1000), pool: testPool({}) });
  expect((await rowWorkers()).length).toBeGreaterThanOrEqual(atLeastTwo);
});

it('a run of rows that call a service has all its calls under way at once', async () => {
  const rows = rowsOf(300);
  const allUnderWay = deferred();
  const upstream = scriptedUpstream(async ({ url }, nth) => {
    if (nth === 40) allUnderWay.resolve();
    await allUnderWay.promise;
    return jsonAnswer(Number(url.split('/').at(-1)));
  });
  const { outputs } = await runRows(calling, { rows, pool: testPool({}), upstream });
  expect(outputs).toEqual(rows);
  expect(await rowWorkers()).toHaveLength(Math.min(availableParallelism(), 40));
});

it('a run in virtual time, in which rows take no time, uses all its workers', async () => {
  await runRows(quick, { rows: rowsOf(257), pool: testPool({}), clock: new VirtualClock(0) });
  expect(await rowWorkers()).toHaveLength(availableParallelism());
});
