// A kill while a run's record was being saved left a temporary file in the run's folder. It was removed when the run's
// outputs were opened, which those of a run that is cancelled first never are.
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { leaveStaleLock } from '../builders/crashed-folder.ts';
import { openTestServices } from '../builders/open-test-services.ts';
import { sampleWorkflows } from '../builders/start-test-app.ts';

it('is removed at the next start, whatever becomes of the run', async () => {
  const before = await openTestServices(
    { echo: sampleWorkflows.echo },
    { executes: false, mostCompactBytes: 0 },
  );
  const { runId } = await before.start('echo', [{ n: 1 }]);
  await before.close();
  const folder = join(before.dataDir, 'runs', runId);
  await writeFile(join(folder, 'run.json.5f2d.tmp'), '{ "version": 1,');
  await leaveStaleLock(before.dataDir);

  const { runs } = await openTestServices({}, { dataDir: before.dataDir, executes: false });
  await runs.cancel(runId);
  expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});
