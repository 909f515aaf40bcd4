// A process is killed after it has written a commit and before any of it is synced: the next one finds it in the
// system's memory, and makes it last before it goes by it.
import { expect, it } from 'vitest';
import { withoutSync } from '../../builders/durability/unfaithful-disks.ts';
import { FaultyFileSystem } from '../../builders/faulty-file-system.ts';
import { layouts } from '../../builders/durability/run-layouts.ts';
import { PowerCutFileSystem } from '../../builders/power-cut-file-system.ts';
import {
  acceptRun,
  linesOf,
  openAfterCut,
  openFolder,
  outputLine,
  resultsOf,
  runIdOf,
  textOf,
} from './storage-fixture.ts';

const runId = runIdOf(1);
const isResult = (path: string): boolean =>
  /outputs|rows\.state|trace|statistics|results|runs\/[^/]*\.run$/.test(path);

const commits = [
  { what: 'a commit', rows: undefined },
  { what: 'a whole run', rows: 9 },
];
const cases = layouts.flatMap((layout) => commits.map((commit) => ({ ...layout, ...commit })));

it.each(cases)(
  '$what $layout that was never synced is, before it goes on',
  async ({ rows, mostCompactBytes }) => {
    const disk = new PowerCutFileSystem();
    const killed = await openFolder('/data', withoutSync(disk, isResult), { mostCompactBytes });
    await acceptRun(killed, 1, 9);
    await (await killed.runs.openOutputs(runId, rows)).commit(resultsOf(1, 9));

    await disk.remove('/data/lock');
    const next = await openFolder('/data', disk);
    const outputs = await next.runs.openOutputs(runId, rows);
    expect(outputs.committedRows).toBe(9);

    const { folder: last } = await openAfterCut(disk);
    expect(await textOf(last.runs.readOutputs(runId))).toBe(linesOf(outputLine, 1, 9));
    expect(await last.runs.readStates(runId, 1, 9)).toHaveLength(9);
  },
);

/** More than are ever unsynced here. */
const mostChanges = 12;

it('a run that a killed process moved into a folder is there, whenever the power goes while the next one starts', async () => {
  const disk = new PowerCutFileSystem();
  const faulty = new FaultyFileSystem(undefined, disk);
  const killed = await openFolder('/data', faulty);
  await acceptRun(killed, 1, 9);
  faulty.breakFrom((call, path) => call === 'syncFolder' && path === '/data/runs');
  const outputs = await killed.runs.openOutputs(runId, 9);
  await expect(outputs.commit(resultsOf(1, 4))).rejects.toThrow();

  await disk.remove('/data/lock');
  const moments: PowerCutFileSystem[] = [];
  // Of each name that may have changed without a sync, this one is lost alone.
  disk.beforeChange = () => {
    for (let lost = 0; lost < mostChanges; lost += 1)
      moments.push(disk.afterCut({ entries: (change) => change !== lost, data: 'all' }));
  };
  await openFolder('/data', disk);
  disk.beforeChange = () => undefined;
  expect(moments.length).toBeGreaterThan(2 * mostChanges);
  for (const moment of moments)
    expect(await (await openAfterCut(moment)).folder.runs.listIds()).toEqual([runId]);
});
