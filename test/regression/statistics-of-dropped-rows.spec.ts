// Statistics of nodes counted each row when it ended. That included rows that were never committed, because a row
// before them had failed and the run with it. The counts depended on chance.
import { expect, it } from 'vitest';
import { FakeClock } from '../builders/fake-clock.ts';
import { planOf, testExecution, testPool } from '../builders/execution-rig.ts';

const rows = Array.from({ length: 8 }, (_, index) => ({ n: index + 1 }));

/** Counts of done and failed nodes if rows 1 and 2 end last, in either order. */
async function counted(fails: number, last: number) {
  const plan = planOf(`
concurrency: 8
nodes:
  - { id: input, type: input }
  - { id: nap, type: delay, for: "=row.n > 2 ? 1000 : row.n === ${last} ? 3000 : 2000" }
  - { id: refuse, type: fail, after: [nap], when: "=row.n === ${fails}", message: refused }
  - { id: out, type: output, after: [refuse], fields: { n: "=row.n" } }`);
  const clock = new FakeClock();
  const { execution, sink } = testExecution(plan, { pool: testPool(), rows, clock });
  const over = execution.run();
  for (const waiting of [8, 2, 1]) {
    await expect.poll(() => clock.pending).toBe(waiting);
    clock.advance(1000);
  }
  expect(await over).toMatchObject({ kind: 'failed' });
  return sink.nodes.map(({ nodeId, done, failed, skipped }) => [nodeId, done, failed, skipped]);
}

it('rows that ended before one ahead of them failed the run are not counted', async () => {
  expect(await counted(1, 1)).toEqual([
    ['input', 1, 0, 0],
    ['nap', 1, 0, 0],
    ['refuse', 0, 1, 0],
  ]);
});

it('rows before the failed one are counted, whichever ended first', async () => {
  const expected = [
    ['input', 2, 0, 0],
    ['nap', 2, 0, 0],
    ['refuse', 0, 1, 1],
    ['out', 1, 0, 0],
  ];
  expect(await counted(2, 1)).toEqual(expected);
  expect(await counted(2, 2)).toEqual(expected);
});
