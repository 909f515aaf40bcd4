// A completed run that had lost outputs was rerun as if the rows without one had failed.
import { expect, it } from 'vitest';
import { completedRun } from '../builders/completed-run.ts';
import { loseOutputs } from '../builders/damaged-results.ts';
import { openTestServices } from '../builders/open-test-services.ts';

const quick = `rowbench: 1
id: quick
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: { n: "=row.n" } }
`;

it('rows whose outputs are lost are not taken for rows that failed', async () => {
  const services = await openTestServices({ quick });
  const runId = await completedRun(services, 'quick', [{ n: 1 }, { n: 2 }]);
  await loseOutputs(services.dataDir, runId);
  const rerun = services.runs.rerun(runId, 'failed', { kind: 'cli' });
  await expect(rerun).rejects.toMatchObject({ code: 'data_unreadable' });
  expect(await services.runs.list({})).toHaveLength(1);
});
