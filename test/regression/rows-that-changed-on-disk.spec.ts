// Rows lay on the disk without a checksum: a byte that changed there before the run began was executed, and its output
// handed out as the accepted row's own. Now the record of a run has one, and so has every small document itself.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openTestServices } from '../builders/open-test-services.ts';
import { sampleWorkflows } from '../builders/start-test-app.ts';

/** Accepts a run and closes the folder before it could begin; gives the folder. */
async function waitingRun(): Promise<{ dataDir: string; runId: string; folder: string }> {
  const services = await openTestServices(
    { echo: sampleWorkflows.echo },
    { executes: false, mostCompactBytes: 0 },
  );
  const { runId } = await services.start('echo', [{ n: 1 }, { n: 2 }]);
  await services.close();
  return { dataDir: services.dataDir, runId, folder: join(services.dataDir, 'runs', runId) };
}

async function change(file: string, from: string, to: string): Promise<void> {
  await writeFile(file, (await readFile(file, 'utf8')).replace(from, to));
}

it('are not executed as if they had been accepted', async () => {
  const { dataDir, runId, folder } = await waitingRun();
  await change(join(folder, 'rows.ndjson'), '"n":2', '"n":3');
  const { runs } = await openTestServices({}, { dataDir });
  await expect.poll(async () => (await runs.get(runId)).run.status, { timeout: 20_000 }).toBe('failed');
  const { run } = await runs.get(runId);
  expect(run).toMatchObject({ error: expect.stringContaining('not those that were accepted') as string });
});

it('are not repeated by another run', async () => {
  const { dataDir, runId, folder } = await waitingRun();
  await writeFile(join(folder, 'rows.ndjson'), '');
  const { runs } = await openTestServices({}, { dataDir, executes: false });
  await expect(runs.rerun(runId, 'all', { kind: 'app' })).rejects.toMatchObject({ code: 'data_unreadable' });
});

it('and a record that changed there is not taken for the one that was saved', async () => {
  const { dataDir, runId, folder } = await waitingRun();
  await change(join(folder, 'run.json'), '"workflowId": "echo"', '"workflowId": "echn"');
  const { runs } = await openTestServices({}, { dataDir, executes: false });
  await expect(runs.get(runId)).rejects.toMatchObject({ code: 'data_unreadable' });
});
