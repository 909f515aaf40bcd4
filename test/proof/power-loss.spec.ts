// The power fails before any call of a story of documents, and the disk has kept an arbitrary part of the unsynced
// data. A new start must find everything that was promised. Runs are in SQLite, which is tested for power loss.
// ROWBENCH_PROOF=long tries more behaviours of disks.
import { describe, expect, it } from 'vitest';
import type { FileSystem } from '../../src-main/files/file-system.ts';
import { beginLife } from '../builders/durability/document-life.ts';
import {
  brokenPromises,
  initialPromises,
  live,
  type Promises,
} from '../builders/durability/document-story.ts';
import { withoutFolderSync, withoutSync } from '../builders/durability/unfaithful-disks.ts';
import { survivals, losingAll, PowerCutFileSystem, type Cut } from '../builders/power-cut-file-system.ts';
import { seededRandom } from '../builders/seeded-random.ts';
import { isLong, timeoutMs, report } from './length.ts';

/** Power cuts to try. A drawn cut decides at random for each name and each file. */
const cuts: readonly Cut[] = [
  losingAll,
  { entries: () => true, data: 'synced' },
  { entries: () => true, data: 'zeros' },
  { entries: () => true, data: 'all' },
  { entries: () => true, data: 'even sectors' },
  { entries: () => true, data: 'odd sectors' },
  ...Array.from({ length: isLong ? 40 : 4 }, (_, seed) => drawnCut(seed)),
];

function drawnCut(seed: number): Cut {
  const drawn = (salt: number, index: number): number => seededRandom(seed * 1_000_003 + salt + index)();
  return {
    entries: (change) => drawn(17, change) < 0.5,
    data: (file) => survivals[Math.floor(drawn(991, file) * survivals.length)] ?? 'synced',
  };
}

type Moment = { readonly disk: PowerCutFileSystem; readonly promises: Promises; readonly call: number };

/** The story, with the disk as it would be after a power cut before each of its calls. */
async function momentsOf(
  cut: Cut,
  through: (disk: FileSystem) => FileSystem = (disk) => disk,
): Promise<Moment[]> {
  const inner = new PowerCutFileSystem();
  const promises = initialPromises();
  const moments: Moment[] = [];
  const take = (): void => {
    const call = moments.length + 1;
    moments.push({ disk: inner.afterCut(cut), promises: structuredClone(promises), call });
  };
  inner.beforeChange = take;
  const life = await beginLife(through(inner));
  expect(await live(life, promises)).toEqual([]);
  await life.close();
  take();
  return moments;
}

async function brokenAt({ disk, promises, call }: Moment): Promise<readonly string[]> {
  const broken = await brokenPromises(disk, promises);
  return broken.map((words) => `before call ${call}: ${words}`);
}

/** True if the rig reports this text for a disk with a planted fault, after a cut that loses all unsynced changes. */
async function isFound(words: string, through: (disk: FileSystem) => FileSystem): Promise<boolean> {
  for (const moment of await momentsOf(losingAll, through))
    if ((await brokenAt(moment)).some((found) => found.includes(words))) return true;
  return false;
}

it(
  `documents survive a power cut before any call, in ${cuts.length} ways that a disk may go`,
  { timeout: timeoutMs(120_000) },
  async () => {
    let states = 0;
    for (const cut of cuts) {
      const moments = await momentsOf(cut);
      const found: string[] = [];
      for (const moment of moments) found.push(...(await brokenAt(moment)));
      expect(found.slice(0, 10)).toEqual([]);
      expect(moments.length).toBeGreaterThan(60);
      states += moments.length;
    }
    report(`power loss: ${states} states of the disk in ${cuts.length} ways, no promise broken`);
  },
);

describe('the rig finds', { timeout: 60_000 }, () => {
  const of = (name: string) => (path: string) => path.includes(name);

  it.each([
    ['keys.json', 'it does not start'],
    ['secrets.key', 'it fails'],
    ['leads.workflow.yaml', 'import is'],
    ['.recording', 'cassette is'],
  ])('%s that is not synced', async (name, words) => {
    expect(await isFound(words, (disk) => withoutSync(disk, of(name)))).toBe(true);
  });

  it('names that are not synced', async () => {
    expect(await isFound('is undefined, and was', withoutFolderSync)).toBe(true);
  });
});
