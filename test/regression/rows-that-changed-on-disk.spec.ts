// Rows lay on the disk without a checksum: a byte that changed there before the run began was executed, and its output
// handed out as the accepted row's own. Now rows have one, and so have the record of a run and every small document.
import { expect, it } from 'vitest';
import { damageResults } from '../builders/damaged-results.ts';
import { openTestServices } from '../builders/open-test-services.ts';
import { sampleWorkflows } from '../builders/start-test-app.ts';

/** Accepts a run and closes the folder before it could begin; gives the folder. */
async function waitingRun(): Promise<{ dataDir: string; runId: string }> {
  const services = await openTestServices({ echo: sampleWorkflows.echo }, { executes: false });
  const { runId } = await services.start('echo', [{ n: 1 }, { n: 2 }]);
  await services.close();
  return { dataDir: services.dataDir, runId };
}

it('changed rows are not executed as if they had been accepted', async () => {
  const { dataDir, runId } = await waitingRun();
  await damageResults(dataDir, runId, 'rows');
  const { runs } = await openTestServices({}, { dataDir });
  await expect.poll(async () => (await runs.get(runId)).run.status, { timeout: 20_000 }).toBe('failed');
  const { run } = await runs.get(runId);
  expect(run).toMatchObject({
    error: expect.stringContaining('damage at the text of rows 1 to 2 of run') as string,
  });
});

it('changed rows are not repeated by another run', async () => {
  const { dataDir, runId } = await waitingRun();
  await damageResults(dataDir, runId, 'rows');
  const { runs } = await openTestServices({}, { dataDir, executes: false });
  await expect(runs.rerun(runId, 'all', { kind: 'app' })).rejects.toMatchObject({ code: 'data_unreadable' });
});

it('a record that changed on the disk is not taken for the one that was saved', async () => {
  const { dataDir, runId } = await waitingRun();
  await damageResults(dataDir, runId, 'record');
  const { runs } = await openTestServices({}, { dataDir, executes: false });
  await expect(runs.get(runId)).rejects.toMatchObject({ code: 'data_unreadable' });
});
