// A run that could not be read at the start stayed unreadable until the next one, though the cause had passed, and
// retention took the workflow text that it alone needed.
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FakeClock } from '../builders/fake-clock.ts';
import { overADay } from '../builders/leaping-clock.ts';
import { openTestServices, type TestServices } from '../builders/open-test-services.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';

const quick = `rowbench: 1
id: quick
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: { n: "=row.n" } }
`;

const statusIn = (services: TestServices, runId: string) => async () =>
  (await services.runs.get(runId)).run.status;

/** A folder with a queued run whose record is away. */
async function folderWithHiddenRun() {
  const dataDir = join(await temporaryFolder(), 'data');
  await mkdir(dataDir);
  const settings = { version: 1, retention: { runs: 1, days: 30 } };
  await writeFile(join(dataDir, 'settings.json'), JSON.stringify(settings));
  const first = await openTestServices({ quick }, { dataDir, executes: false, mostCompactBytes: 0 });
  const { runId } = await first.start('quick', [{ n: 1 }]);
  await first.close();
  const record = join(dataDir, 'runs', runId, 'run.json');
  const text = await readFile(record, 'utf8');
  await writeFile(record, '{ "version": 1, ');
  await rm(`${record}.previous`, { force: true });
  const restore = async (): Promise<void> => {
    await writeFile(`${record}.new`, text);
    await rename(`${record}.new`, record);
  };
  return { dataDir, runId, restore };
}

it('a run that can be read again is taken up', async () => {
  const { dataDir, runId, restore } = await folderWithHiddenRun();
  const services = await openTestServices({}, { dataDir });
  await expect(services.runs.get(runId)).rejects.toMatchObject({ code: 'data_unreadable' });
  await restore();
  await expect.poll(statusIn(services, runId)).toBe('completed');
  expect(await services.outputs(runId)).toEqual([{ n: 1 }]);
});

it('retention leaves all workflow texts while a run cannot be read', async () => {
  const { dataDir, runId, restore } = await folderWithHiddenRun();
  const clock = new FakeClock();
  const services = await openTestServices({}, { dataDir, clock });
  for (const version of [1, 2]) {
    await services.write('quick', `${quick}# ${version}\n`);
    const run = await services.start('quick', [{ n: version }]);
    await expect.poll(statusIn(services, run.runId)).toBe('completed');
  }
  clock.advance(overADay);
  await expect.poll(async () => (await services.folder.runs.listIds()).length).toBe(2);
  await restore();
  await expect.poll(statusIn(services, runId)).toBe('completed');
});
