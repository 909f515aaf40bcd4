// A run makes the files of its results when it starts. Whoever read its outputs when there was an index and no outputs
// yet, or after a crash at that moment, was told that stored data cannot be read.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openTestServices } from '../builders/open-test-services.ts';
import { sampleWorkflows } from '../builders/start-test-app.ts';

it('a run whose files are being made has no outputs yet', async () => {
  const services = await openTestServices(
    { echo: sampleWorkflows.echo },
    { executes: false, mostCompactBytes: 0 },
  );
  const { runId } = await services.start('echo', [{ n: 1 }]);
  await writeFile(join(services.dataDir, 'runs', runId, 'outputs.index'), '');
  expect(await services.outputs(runId)).toEqual([]);
});
