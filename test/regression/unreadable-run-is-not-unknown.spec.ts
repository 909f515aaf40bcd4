// A run whose record had become unreadable was answered with "Workflow run not found", as if it had never been
// accepted.
import { expect, it } from 'vitest';
import { completedRun } from '../builders/completed-run.ts';
import { damageResults } from '../builders/damaged-results.ts';
import { openTestServices } from '../builders/open-test-services.ts';

const quick = `rowbench: 1
id: quick
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: { n: "=row.n" } }
`;

it('a run that is stored and cannot be read is an error of the data folder', async () => {
  const first = await openTestServices({ quick });
  const runId = await completedRun(first, 'quick', [{ n: 1 }]);
  await first.close();
  await damageResults(first.dataDir, runId, 'record');
  const second = await openTestServices({}, { dataDir: first.dataDir });
  await expect(second.runs.find('quick', runId)).rejects.toMatchObject({ code: 'data_unreadable' });
  expect(await second.runs.find('quick', '01970000-0000-7000-8000-000000000000')).toBeUndefined();
});
