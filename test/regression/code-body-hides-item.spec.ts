// A code body that declares a variable named `item` passed validation and failed every row with "Identifier 'item' has
// already been declared": the names that a node gets are parameters of the function around the body.
import { expect, it } from 'vitest';
import { runRows, testPool } from '../builders/execution-rig.ts';

const workflow = `rowbench: 1
id: own-names
nodes:
  - { id: input, type: input }
  - id: double
    type: code
    code: |
      const item = row.n;
      let index = 2;
      return item * index;
  - { id: out, type: output, fields: { n: "=nodes.double" } }`;

it('a code body may declare its own item and index', async () => {
  const { outputs } = await runRows(workflow, { pool: testPool(), rows: [{ n: 4 }] });
  expect(outputs).toEqual([{ n: 8 }]);
});
