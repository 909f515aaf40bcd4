// The newest of a run's two files of statistics is damaged: the other one counts fewer rows. It was told as the run's.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../builders/temporary-folder.ts';
import { acceptRun, openFolder, resultsOf, runIdOf, runOf } from '../unit/storage/storage-fixture.ts';

it('an older count of rows is not told as that of all', async () => {
  const path = await temporaryFolder();
  const folder = await openFolder(path);
  await acceptRun(folder, 1, 30);
  const { runs } = folder;
  const runId = runIdOf(1);
  const outputs = await runs.openOutputs(runId, 30);
  for (const last of [10, 30]) await outputs.commit(resultsOf(outputs.committedRows + 1, last));
  await outputs.close();
  const counts = { rowsDone: 24, rowsFailed: 6 };
  const finishedAt = '2026-01-01T00:00:01.000Z';
  await runs.save({ ...runOf(1, 30), status: 'completed', finishedAt, counts });
  expect(await runs.readStatistics(runId)).toMatchObject({ upTo: 30 });

  for (const name of ['statistics.0', 'statistics.1']) {
    const file = join(path, 'runs', runId, name);
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('"upTo":30', '"upTo":39'));
  }
  expect(await runs.readStatistics(runId)).toBeUndefined();
});
