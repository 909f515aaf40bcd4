// A run that has ended and whose index was cut or emptied on the disk showed the rows that were left, or none, and the
// failures among them, as if they were all.
import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openTestServices } from '../builders/open-test-services.ts';

const skips = `rowbench: 1
id: skips
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: middle, type: fail, message: "no", rows: [2] }
  - { id: result, type: output, after: [middle], fields: { n: "=row.n" } }
`;

it.each([0, 20])('an index of which %i bytes are left is noticed by who looks at rows', async (left) => {
  const services = await openTestServices({ skips });
  const { runs, traces, dataDir } = services;
  const { runId } = await services.start('skips', [{ n: 1 }, { n: 2 }, { n: 3 }]);
  await expect.poll(async () => (await runs.get(runId)).run.status, { timeout: 20_000 }).toBe('completed');
  await truncate(join(dataDir, 'runs', runId, 'outputs.index'), left);
  const lost = expect.objectContaining({
    message: expect.stringContaining('outputs.index: 0 of 3 rows are there') as string,
  }) as Error;
  await expect(traces.rows(runId, {}, { from: 1, count: 3 })).rejects.toEqual(lost);
  await expect(traces.rowsInAll(runId, 10)).rejects.toEqual(lost);
  await expect(traces.stored(runId, 2)).rejects.toEqual(lost);
  await expect(runs.readFailures(runId, 5)).rejects.toEqual(lost);
});
