// Each object of a workflow was built by code of its own, whatever their number. A large file failed as a row that took
// too much memory or time, and its next run did not.
import { expect, it } from 'vitest';
import { planOf, testExecution, testPool } from '../builders/execution-rig.ts';

const nested = (depth: number): string => (depth === 0 ? '=1' : `{ a: ${nested(depth - 1)} }`);

it('a workflow of many objects takes no more memory than its rows', async () => {
  const one = nested(60);
  const list = Array<string>(800).fill(one).join(', ');
  const plan = planOf(
    `nodes:\n  - { id: input, type: input }\n  - { id: many, type: set, values: { list: [${list}] } }\n` +
      '  - { id: out, type: output, fields: { n: "=nodes.many.list.length" } }',
  );
  const { execution, sink } = testExecution(plan, {
    pool: testPool({ memoryMb: 64 }),
    rows: [{ n: 1 }, { n: 2 }],
  });
  expect(await execution.run()).toEqual({ kind: 'completed' });
  expect(sink.outputs).toEqual([{ n: 800 }, { n: 800 }]);
});
