// Eight runs at once on a machine with two cores, each of a row that computes well within its limit, all failed with
// "time limit exceeded": the limit was held against the clock, not against the time that the row had computed.
import { availableParallelism } from 'node:os';
import { expect, it } from 'vitest';
import { runRows, testPool } from '../builders/execution-rig.ts';

const workflow = `rowbench: 1
id: busy
nodes:
  - { id: input, type: input }
  - id: work
    type: code
    code: |
      let sum = 0;
      for (let step = 0; step < row.steps; step += 1) sum += step % 7;
      return sum > 0;
  - { id: out, type: output, fields: { done: "=nodes.work ? 1 : 0" } }`;

const run = (pool: ReturnType<typeof testPool>, steps: number) =>
  runRows(workflow, { pool, rows: [{ steps }] });

it('runs that share the cores are given the time that they compute', { timeout: 60_000 }, async () => {
  const pool = testPool({ timeLimitMs: 500 });
  const steps = 20_000_000;
  await run(pool, steps);
  const began = performance.now();
  await run(pool, steps);
  // A fifth of a second of computing, on any machine; of the clock's time it takes four times that.
  const shortSteps = Math.round((steps * 200) / (performance.now() - began));
  const together = Array.from({ length: 4 * availableParallelism() }, () => run(pool, shortSteps));
  for (const { outputs } of await Promise.all(together)) expect(outputs).toEqual([{ done: 1 }]);
});
