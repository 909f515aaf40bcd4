import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runRows, testPool } from '../../builders/execution-rig.ts';

const folder = join(import.meta.dirname, '../../../examples');
const ending = '.expected.json';
const examples = readdirSync(folder)
  .filter((name) => name.endsWith(ending))
  .map((name) => name.slice(0, -ending.length));

const json = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'));

it.each(examples)('the example %s gives what its expected file says', async (name) => {
  const workflow = readFileSync(join(folder, `${name}.workflow.yaml`), 'utf8');
  const text = workflow.slice(workflow.indexOf('rowbench:'));
  const done = await runRows(text, { pool: testPool(), rows: json(`${name}.rows.json`) as unknown[] });
  expect(done.outcome).toEqual({ kind: 'completed' });
  expect(done.outputs).toEqual(json(`${name}${ending}`));
});
