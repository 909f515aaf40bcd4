// A completed run whose index had lost lines was rerun as if the rows without a line had failed.
import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openTestServices } from '../builders/open-test-services.ts';

const quick = `rowbench: 1
id: quick
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: { n: "=row.n" } }
`;

it('rows whose outputs are lost are not taken for rows that failed', async () => {
  const services = await openTestServices({ quick });
  const { runId } = await services.start('quick', [{ n: 1 }, { n: 2 }]);
  await expect
    .poll(async () => (await services.runs.get(runId)).run.status, { timeout: 20_000 })
    .toBe('completed');
  await truncate(join(services.dataDir, 'runs', runId, 'outputs.index'), 0);
  const rerun = services.runs.rerun(runId, 'failed', { kind: 'cli' });
  await expect(rerun).rejects.toMatchObject({ code: 'data_unreadable' });
  expect(await services.runs.list({})).toHaveLength(1);
});
