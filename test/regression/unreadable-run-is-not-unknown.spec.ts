// A run whose record could not be read any more was answered with "Workflow run not found", as if it had never been
// accepted.
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openTestServices } from '../builders/open-test-services.ts';

const quick = `rowbench: 1
id: quick
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: { n: "=row.n" } }
`;

it('a run that is stored and cannot be read is an error of the data folder', async () => {
  const first = await openTestServices({ quick }, { mostCompactBytes: 0 });
  const { runId } = await first.start('quick', [{ n: 1 }]);
  await expect.poll(async () => (await first.runs.get(runId)).run.status).toBe('completed');
  await first.close();
  const folder = join(first.dataDir, 'runs', runId);
  await writeFile(join(folder, 'run.json'), '{ "version": 1, ');
  await rm(join(folder, 'run.json.previous'));
  const second = await openTestServices({}, { dataDir: first.dataDir });
  await expect(second.runs.find('quick', runId)).rejects.toMatchObject({ code: 'data_unreadable' });
  expect(await second.runs.find('quick', '01970000-0000-7000-8000-000000000000')).toBeUndefined();
});
