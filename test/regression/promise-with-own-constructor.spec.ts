// Code that returned a promise with an unreadable `constructor` blocked the run for ever: no other row of the run was
// executed any more, and a pause never settled.
import { expect, it } from 'vitest';
import { runRows, testPool } from '../builders/execution-rig.ts';

const workflow = (code: string): string => `rowbench: 1
id: odd-promise
onRowError: skip
nodes:
  - { id: input, type: input }
  - id: odd
    type: code
    code: |
      if (row.n !== 2) return row.n;
      ${code}
  - { id: out, type: output, fields: { n: "=nodes.odd" } }`;

it.each([
  [
    "const p = Promise.resolve(1); Object.defineProperty(p, 'constructor', { get() { throw 1; } }); return p;",
  ],
  ['const p = Promise.resolve(1); p.constructor = 1; return p;'],
  ['return Object.create(Promise.prototype);'],
])('%s fails its row, and the next row works', async (code) => {
  const { outputs, failures } = await runRows(workflow(code), {
    pool: testPool(),
    rows: [{ n: 1 }, { n: 2 }, { n: 3 }],
  });
  expect(outputs).toEqual([{ n: 1 }, null, { n: 3 }]);
  expect(failures).toMatchObject([{ row: 2, nodeId: 'odd' }]);
});
