// A run whose rows have all been computed waits only for the disk. Another run may take its worker meanwhile.
import { expect, it } from 'vitest';
import { deferred } from '../../../src-main/base/deferred.ts';
import type { OutputSink } from '../../../src-main/executor/ports.ts';
import { MemorySink, planOf, testExecution, testPool } from '../../builders/execution-rig.ts';

const plan = planOf(`
nodes:
  - { id: input, type: input }
  - { id: out, type: output, fields: { n: "=row.n" } }`);

it('a worker is given back before the last commit is through', async () => {
  const pool = testPool({ maxWorkers: 1 });
  const [begun, diskAnswers] = [deferred(), deferred()];
  const stored = new MemorySink();
  const sink: OutputSink = {
    async commit(result) {
      begun.resolve();
      await diskAnswers.promise;
      await stored.commit(result);
    },
  };
  const waiting = testExecution(plan, { pool, rows: [{ n: 1 }], sink });
  const first = waiting.execution.run();
  await begun.promise;

  const next = testExecution(plan, { pool, rows: [{ n: 2 }] });
  expect(await next.execution.run()).toEqual({ kind: 'completed' });
  expect(next.sink.outputs).toEqual([{ n: 2 }]);
  expect(stored.outputs).toEqual([]);

  diskAnswers.resolve();
  expect(await first).toEqual({ kind: 'completed' });
  expect(stored.outputs).toEqual([{ n: 1 }]);
});
