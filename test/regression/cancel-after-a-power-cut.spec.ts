// A power cut left the line of a commit without its outputs. The run was cancelled before anything had opened them: its
// counts included rows whose outputs nobody could read any more.
import { stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openTestServices } from '../builders/open-test-services.ts';

const quick = `rowbench: 1
id: quick
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: { n: "=row.n" } }
`;

it('a run is cancelled as of the last commit that is whole', async () => {
  const before = await openTestServices({ quick });
  const rows = Array.from({ length: 6 }, (_, n) => ({ n }));
  const { runId } = await before.start('quick', rows, { scenario: { 'pause-at': { row: 3 } } });
  await expect.poll(async () => (await before.runs.get(runId)).run.status).toBe('paused');
  await before.close();
  const outputs = join(before.dataDir, 'runs', runId, 'outputs.ndjson');
  await truncate(outputs, (await stat(outputs)).size - 2);

  const after = await openTestServices({ quick }, { dataDir: before.dataDir });
  expect((await after.runs.get(runId)).counts.rowsDone).toBeLessThan(3);
  const { run, counts } = await after.runs.cancel(runId);
  expect(run.status).toBe('cancelled');
  expect(await after.outputs(runId)).toHaveLength(counts.rowsDone);
});
