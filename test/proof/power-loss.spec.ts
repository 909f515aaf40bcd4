// The power goes before any call of a story, and the disk holds whatever it liked of what was not synced. A new start
// must find all that was promised. ROWBENCH_PROOF=long tries more of what disks may do.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WorkerPool } from '../../src-main/executor/worker-pool.ts';
import type { WorkflowService } from '../../src-main/services/workflow-service.ts';
import type { FileSystem } from '../../src-main/storage/file-system.ts';
import { brokenPromises } from '../builders/durability/check-promises.ts';
import { beginLife, openPool, workflowsOf } from '../builders/durability/product-life.ts';
import { live, noPromises, storyWorkflows, type Promises } from '../builders/durability/product-story.ts';
import { layouts, type Layout } from '../builders/durability/run-layouts.ts';
import { withoutFolderSync, withoutNames, withoutSync } from '../builders/durability/unfaithful-disks.ts';
import { keptData, nothingKept, PowerCutFileSystem, type Cut } from '../builders/power-cut-file-system.ts';
import { seededRandom } from '../builders/seeded-random.ts';
import { isLong, patience, report } from './length.ts';

/** What a disk may keep; drawn cuts differ from name to name and from file to file. */
const cuts: readonly Cut[] = [
  nothingKept,
  { entries: () => true, data: 'synced' },
  { entries: () => true, data: 'zeros' },
  { entries: () => true, data: 'all' },
  { entries: () => true, data: 'even sectors' },
  { entries: () => true, data: 'odd sectors' },
  ...Array.from({ length: isLong ? 40 : 2 }, (_, seed) => drawnCut(seed)),
];

function drawnCut(seed: number): Cut {
  const drawn = (salt: number, place: number): number => seededRandom(seed * 1_000_003 + salt + place)();
  return {
    entries: (change) => drawn(17, change) < 0.5,
    data: (file) => keptData[Math.floor(drawn(991, file) * keptData.length)] ?? 'synced',
  };
}

let pool: WorkerPool;
let workflows: WorkflowService;
beforeAll(async () => {
  pool = openPool();
  workflows = await workflowsOf(storyWorkflows);
});
afterAll(() => pool.close());

type Moment = { readonly disk: PowerCutFileSystem; readonly promises: Promises; readonly call: number };

/** The story, with the disk as it would be after a power cut before each of its calls. */
async function momentsOf(
  cut: Cut,
  { mostCompactBytes }: Layout,
  through: (disk: FileSystem) => FileSystem = (disk) => disk,
): Promise<Moment[]> {
  const inner = new PowerCutFileSystem();
  const promises = noPromises();
  const moments: Moment[] = [];
  const take = (): void => {
    moments.push({
      disk: inner.afterCut(cut),
      promises: structuredClone(promises),
      call: moments.length + 1,
    });
  };
  inner.beforeChange = take;
  const life = await beginLife({ path: '/data', disk: through(inner), pool, workflows, mostCompactBytes });
  expect(await live(life, promises)).toEqual([]);
  await life.close();
  take();
  return moments;
}

/** What is broken after a cut at any call, with the call before which it happened. */
async function findings(
  cut: Cut,
  layout: Layout,
): Promise<{ readonly moments: number; readonly found: readonly string[] }> {
  const moments = await momentsOf(cut, layout);
  const found: string[] = [];
  for (const moment of moments) found.push(...(await brokenAt(moment)));
  return { moments: moments.length, found };
}

/** Whether that is found on a disk with a planted fault, of which a cut leaves nothing that was not synced. */
async function isFound(
  words: string,
  through: (disk: FileSystem) => FileSystem,
  layout: Layout = layouts[1],
): Promise<boolean> {
  for (const moment of await momentsOf(nothingKept, layout, through))
    if ((await brokenAt(moment)).some((found) => found.includes(words))) return true;
  return false;
}

/** @param next what the next start sees of the disk */
async function brokenAt(
  { disk, promises, call }: Moment,
  next: (disk: FileSystem) => FileSystem = (all) => all,
): Promise<readonly string[]> {
  const broken = await brokenPromises({ path: '/data', disk: next(disk), pool, workflows }, promises);
  return broken.map((words) => `before call ${call}: ${words}`);
}

describe('a power cut before any call of a story', { timeout: patience(600_000) }, () => {
  it.each(layouts)(
    `keeps every promise, whatever of ${cuts.length} ways the disk goes, with runs $layout`,
    async (layout) => {
      let states = 0;
      for (const cut of cuts) {
        const { moments, found } = await findings(cut, layout);
        expect(found.slice(0, 10)).toEqual([]);
        expect(moments).toBeGreaterThan(120);
        states += moments;
      }
      report(
        `power loss: ${states} states of the disk in ${cuts.length} ways, runs ${layout.layout}, no promise broken`,
      );
    },
  );
});

describe('the rig sees', { timeout: 120_000 }, () => {
  const of = (name: string) => (path: string) => path.includes(name);

  it('rows that are not synced', async () => {
    const fault = (disk: FileSystem) => withoutSync(disk, of('rows.ndjson'));
    expect(await isFound('other outputs', fault)).toBe(true);
  });

  it('a run in one file that is not synced before it gets its name', async () => {
    const fault = (disk: FileSystem) => withoutSync(disk, of('/spare-'));
    expect(await isFound('cannot be read', fault, layouts[0])).toBe(true);
  });

  it('a start that does not look for runs in files that were spare', async () => {
    const found: string[] = [];
    for (const moment of await momentsOf(nothingKept, layouts[0]))
      found.push(...(await brokenAt(moment, (disk) => withoutNames(disk, of('spare-')))));
    expect(found).toContainEqual(expect.stringContaining('lost: run'));
  });

  it('the end of a run in one file that is told before it is synced', async () => {
    const fault = (disk: FileSystem) => withoutSync(disk, (path) => path.endsWith('.run'));
    expect(await isFound('was told as completed', fault, layouts[0])).toBe(true);
  });

  it('outputs that are not synced before the commit that vouches for them', async () => {
    const fault = (disk: FileSystem) => withoutSync(disk, of('outputs.ndjson'));
    expect(await isFound('are damaged', fault)).toBe(true);
  });

  it('commits that are told before they are synced', async () => {
    const fault = (disk: FileSystem) => withoutSync(disk, of('outputs.index'));
    expect(await isFound('committed rows are gone', fault)).toBe(true);
  });

  it('whole runs that are told before they are synced', async () => {
    const fault = (disk: FileSystem) => withoutSync(disk, of('results'));
    expect(await isFound('committed rows are gone', fault)).toBe(true);
  });

  it('documents that are not synced', async () => {
    const fault = (disk: FileSystem) => withoutSync(disk, of('keys.json'));
    expect(await isFound('it does not start', fault)).toBe(true);
  });

  it('names that are not synced', async () => {
    expect(await isFound('lost: run', withoutFolderSync)).toBe(true);
  });
});
