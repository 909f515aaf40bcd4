import { describe, expect, it } from 'vitest';
import { utilityWorkers } from '../../../src-main/executor/process/utility-worker.ts';
import { join } from 'node:path';
import { runRows, testPool } from '../../builders/execution-rig.ts';
import { utilityDouble } from '../../builders/utility-double.ts';

const script = join(import.meta.dirname, '../../../dist/row-worker.cjs');
const workflow = (body: string): string => `rowbench: 1
id: flow
nodes:
  - { id: input, type: input }
  - id: work
    type: code
    code: ${JSON.stringify(body)}
  - { id: out, type: output, fields: { n: "=nodes.work.n" } }`;

function utilityPool(options: Parameters<typeof testPool>[0] = {}) {
  const utility = utilityDouble();
  const startWorker = utilityWorkers(utility.fork, { script, memoryMb: 64 });
  return { pool: testPool({ ...options, startWorker }), ...utility };
}

describe('a row worker in a utility process', () => {
  it('runs rows, with nothing of our environment and a bounded heap', async () => {
    const { pool, starts } = utilityPool();
    const text = 'x'.repeat(300_000);
    const rows = Array.from({ length: 200 }, (_, n) => ({ n, ...(n === 7 ? { text } : {}) }));
    const { outputs } = await runRows(workflow('return { n: row.n * 2 }'), { rows, pool });
    expect(outputs).toEqual(rows.map(({ n }) => ({ n: n * 2 })));
    expect(starts[0]?.options).toMatchObject({ env: {}, stdio: ['ignore', 'ignore', 'pipe'] });
    expect(starts[0]?.options.execArgv).toContain('--max-old-space-size=64');
  });

  it('is killed when a row computes without end', async () => {
    const { pool } = utilityPool({ timeLimitMs: 400 });
    const body = 'while (row.n === 2) {} return { n: row.n }';
    const { outputs } = await runRows(workflow(body), { rows: [{ n: 1 }, { n: 2 }], pool });
    expect(outputs).toEqual([{ n: 1 }, null]);
  });
});
