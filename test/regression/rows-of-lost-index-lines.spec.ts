// A run that has ended and whose index was cut or emptied on the disk showed the rows that were left, or none, and the
// failures among them, as if they were all.
import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { completedRun, indexOf } from '../builders/completed-run.ts';
import { openTestServices } from '../builders/open-test-services.ts';

const skips = `rowbench: 1
id: skips
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: middle, type: fail, message: "no", rows: [2] }
  - { id: result, type: output, after: [middle], fields: { n: "=row.n" } }
`;

it.each([
  { layout: 'in pieces' as const, left: 0 },
  { layout: 'in pieces' as const, left: 20 },
  { layout: 'in one piece' as const, left: 0 },
  { layout: 'in one piece' as const, left: 20 },
])('an index of which $left bytes are left is noticed by who looks at rows kept $layout', async (stored) => {
  const services = await openTestServices({ skips }, { mostCompactBytes: 0 });
  const { runs, traces, dataDir } = services;
  const { layout, left } = stored;
  const runId = await completedRun(services, 'skips', { rows: [{ n: 1 }, { n: 2 }, { n: 3 }], layout });
  await truncate(join(dataDir, 'runs', runId, indexOf[layout]), left);
  const lost = expect.objectContaining({
    message: expect.stringContaining('outputs.index: 0 of 3 rows are there') as string,
  }) as Error;
  await expect(traces.rows(runId, {}, { from: 1, count: 3 })).rejects.toEqual(lost);
  await expect(traces.rowsInAll(runId, 10)).rejects.toEqual(lost);
  await expect(traces.stored(runId, 2)).rejects.toEqual(lost);
  await expect(runs.readFailures(runId, 5)).rejects.toEqual(lost);
});
