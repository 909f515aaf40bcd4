// A worker reuses the compiled plan of one run for the next run of this plan. It carries over no state of the run
// itself.
import { beforeAll, expect, it } from 'vitest';
import { FakeClock } from '../../builders/fake-clock.ts';
import { planOf, testExecution, testPool, type TestRun } from '../../builders/execution-rig.ts';
import { planOfSet, workflowOf } from '../../builders/workflow-set.ts';
import { rowWorkers } from '../../builders/row-workers.ts';
import { closeSharedWorkers } from '../../builders/processes-for-tests.ts';

beforeAll(closeSharedWorkers);

type Plan = ReturnType<typeof planOf>;
const rows = [{ n: 1 }, { n: 2 }, { n: 3 }];

/** Runs of the plan, one after the other, in one worker. */
async function runsOf(plan: Plan, runs: readonly Partial<TestRun>[]) {
  const pool = testPool({ maxWorkers: 1, clock: new FakeClock() });
  const workers = new Set<number>();
  const ended = [];
  for (const run of runs) {
    const { execution, sink } = testExecution(plan, { pool, rows, ...run });
    const outcome = await execution.run();
    for (const worker of await rowWorkers()) workers.add(worker);
    ended.push({ outcome, outputs: sink.outputs, failures: sink.failures });
  }
  expect(workers.size).toBe(1);
  await pool.close();
  return ended;
}

const seeds = [{ seed: { random: 1, time: 0 } }, { seed: { random: 2, time: 1000 } }];
const chance = `
nodes:
  - { id: input, type: input }
  - { id: drawn, type: set, values: { random: "=Math.random()", now: "=Date.now()" } }
  - { id: out, type: output, fields: { drawn: "=nodes.drawn" } }`;

it('a worker gives each run its own random numbers and time', async () => {
  const [first, second] = await runsOf(planOf(chance), seeds);
  const [alone] = await runsOf(planOf(chance), seeds.slice(1));
  expect(second?.outputs).toEqual(alone?.outputs);
  expect(second?.outputs).not.toEqual(first?.outputs);
  expect(second?.outputs[0]).toMatchObject({ drawn: { now: 1000 } });
});

it('a worker gives each run its own random numbers in a called workflow', async () => {
  const plan = planOfSet([
    workflowOf(
      'outer',
      '  - { id: sub, type: workflow, workflow: inner, row: "=row" }',
      '{ got: "=nodes.sub" }',
    ),
    workflowOf('inner', '', '{ random: "=Math.random()" }'),
  ]);
  const [first, second, third] = await runsOf(plan, [...seeds, ...seeds.slice(0, 1)]);
  expect(third?.outputs).toEqual(first?.outputs);
  expect(second?.outputs).not.toEqual(first?.outputs);
});

it('a row can fail by the random number of its own run', async () => {
  const plan = planOf(`
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: luck, type: fail, message: unlucky, chance: 0.5 }
  - { id: out, type: output, fields: { n: "=row.n" } }`);
  const many = Array.from({ length: 40 }, (_, n) => ({ n }));
  const [first, second, third] = await runsOf(plan, [
    ...seeds.map((seed) => ({ ...seed, rows: many })),
    { ...seeds[0], rows: many },
  ]);
  expect(third?.outputs).toEqual(first?.outputs);
  expect(second?.outputs).not.toEqual(first?.outputs);
});

it('a scenario affects only its own run on a shared worker', async () => {
  const [first, second, third] = await runsOf(planOf(chance), [
    seeds[0] ?? {},
    { ...seeds[0], scenario: { failRow: 2 } },
    seeds[0] ?? {},
  ]);
  expect(second?.outcome).toEqual({
    kind: 'failed',
    error: 'Node "drawn" failed on row 2: scenario fail-row',
  });
  expect(third).toEqual(first);
});

it("a shared worker's answers reach the run that waits for them", async () => {
  const plan = planOf(`
nodes:
  - { id: input, type: input }
  - { id: pause, type: delay, for: 1ms }
  - { id: body, type: code, code: "await null; return row.n;" }
  - { id: checked, type: assert, that: "=nodes.body === row.n", message: no }
  - { id: out, type: output, fields: { n: "=nodes.body" } }`);
  const runs = await runsOf(plan, [{}, {}, {}]);
  expect(runs.map(({ outcome }) => outcome.kind)).toEqual(['completed', 'completed', 'completed']);
  for (const { outputs } of runs) expect(outputs).toEqual(rows);
});

it('a shared worker retries the rows of each run as its node says', async () => {
  const plan = planOf(`
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: never, type: assert, that: "=row.n === 2", message: "=row.n", retry: { attempts: 3, delay: 1ms } }
  - { id: out, type: output, fields: { n: "=row.n" } }`);
  const [first, second] = await runsOf(plan, [{}, {}]);
  expect(first?.failures.map(({ row, attempts }) => [row, attempts])).toEqual([
    [1, 3],
    [3, 3],
  ]);
  expect(second).toEqual(first);
});
