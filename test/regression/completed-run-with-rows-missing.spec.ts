// A completed run whose index was cut, emptied or lost on the disk answered with the rows that were left, as if they
// were all.
import { rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openTestServices } from '../builders/open-test-services.ts';

const quick = `rowbench: 1
id: quick
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: { n: "=row.n" } }
`;

it.each([
  ['cut in half', (index: string) => truncate(index, 20)],
  ['emptied', (index: string) => truncate(index, 0)],
  ['lost', (index: string) => rm(index)],
  ['overwritten', (index: string) => writeFile(index, Buffer.alloc(50))],
])('an index that was %s is noticed before a row is handed out', async (_how, damage) => {
  const services = await openTestServices({ quick });
  const { runId } = await services.start('quick', [{ n: 1 }, { n: 2 }]);
  await expect
    .poll(async () => (await services.runs.get(runId)).run.status, { timeout: 20_000 })
    .toBe('completed');
  await damage(join(services.dataDir, 'runs', runId, 'outputs.index'));
  const handedOut: unknown[] = [];
  const read = async (): Promise<void> => {
    for await (const lines of services.runs.readOutputs(runId, 2)) handedOut.push(lines);
  };
  await expect(read()).rejects.toMatchObject({ code: 'data_unreadable' });
  expect(handedOut).toEqual([]);
});
