// A process is killed after it has written a commit and before any of it is synced: the next one finds it in the
// system's memory, and makes it last before it goes by it.
import { expect, it } from 'vitest';
import { withoutSync } from '../../builders/durability/unfaithful-disks.ts';
import { layouts } from '../../builders/durability/run-layouts.ts';
import { PowerCutFileSystem } from '../../builders/power-cut-file-system.ts';
import { acceptRun, linesOf, openFolder, outputLine, resultsOf, runIdOf, textOf } from './storage-fixture.ts';

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

    const afterCut = disk.afterCut({ entries: () => false, data: 'synced' });
    await afterCut.remove('/data/lock');
    const last = await openFolder('/data', afterCut);
    expect(await textOf(last.runs.readOutputs(runId))).toBe(linesOf(outputLine, 1, 9));
    expect(await last.runs.readStates(runId, 1, 9)).toHaveLength(9);
  },
);
