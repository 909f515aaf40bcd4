// At its start, the server checks the results of unfinished runs. One run with unreadable results made the whole data
// folder read-only.
import { expect, it } from 'vitest';
import { damageResults } from '../builders/damaged-results.ts';
import { openTestServices } from '../builders/open-test-services.ts';

const quick = `rowbench: 1
id: quick
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: { n: "=row.n" } }
`;

it('other runs are accepted beside a paused run whose results are damaged', async () => {
  const before = await openTestServices({ quick });
  const { dataDir } = before;
  const rows = [{ n: 1 }, { n: 2 }];
  const { runId } = await before.start('quick', rows, { scenario: { 'pause-at': { row: 1 } } });
  await expect.poll(async () => (await before.runs.get(runId)).run.status).toBe('paused');
  await before.close();
  await damageResults(dataDir, runId, 'outputs');
  await damageResults(dataDir, runId, 'states');

  const after = await openTestServices({ quick }, { dataDir });
  expect((await after.runs.get(runId)).run.status).toBe('paused');
  expect(after.folder.health.degraded).toBe(false);
  const other = await after.start('quick', rows);
  await expect.poll(async () => (await after.runs.get(other.runId)).run.status).toBe('completed');
});
