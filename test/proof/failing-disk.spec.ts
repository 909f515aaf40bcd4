// Each call to the file system fails in turn, over a whole story of documents: start, settings, keys, secrets, grants,
// imports and recorded calls. Every change that was answered is there after the fault, and each failure has a message.
// ROWBENCH_PROOF=long tries every fault in both ways.
import { describe, expect, it } from 'vitest';
import type { FileSystem } from '../../src-main/files/file-system.ts';
import { beginLife, type DocumentLife } from '../builders/durability/document-life.ts';
import {
  brokenPromises,
  initialPromises,
  live,
  unexplained,
  type Failed,
} from '../builders/durability/document-story.ts';
import { hastyDisk } from '../builders/durability/unfaithful-disks.ts';
import { FaultyFileSystem, type FaultPlan, type Operation } from '../builders/faulty-file-system.ts';
import { PowerCutFileSystem } from '../builders/power-cut-file-system.ts';
import { isLong, timeoutMs, report } from './length.ts';

const isWrite = (operation: Operation): boolean => operation === 'file.write';
type Plan = Omit<FaultPlan, 'at'>;

/** Operations that need a file descriptor. */
const needsDescriptor = (operation: Operation): boolean => /^(open|list|syncFolder)$/.test(operation);
/** Operations that change nothing when they fail for want of memory. */
const mayLackMemory = (operation: Operation): boolean => /^(open|list|stat|makeFolder)$/.test(operation);

const shortPlans: Readonly<Record<string, Plan>> = {
  'EIO once': { fault: 'EIO', times: 1 },
  'EIO from there on': { fault: 'EIO', times: Infinity },
  'ENOSPC of writes from there on': { fault: 'ENOSPC', times: Infinity, counts: isWrite },
  'EMFILE once': { fault: 'EMFILE', times: 1, counts: needsDescriptor },
  'ENFILE for three calls': { fault: 'ENFILE', times: 3, counts: needsDescriptor },
  'ENOMEM once': { fault: 'ENOMEM', times: 1, counts: mayLackMemory },
  'one byte taken by a write': { fault: 'one byte', times: 1, counts: isWrite },
};
const longPlans: typeof shortPlans = {
  'ENOSPC once': { fault: 'ENOSPC', times: 1 },
  'ENOSPC from there on': { fault: 'ENOSPC', times: Infinity },
  'EIO twice': { fault: 'EIO', times: 2 },
  'EROFS from there on': { fault: 'EROFS', times: Infinity },
  'EPERM once': { fault: 'EPERM', times: 1 },
  'one byte taken by each write': { fault: 'one byte', times: Infinity, counts: isWrite },
  'all but one byte taken by a write': { fault: 'all but one', times: 1, counts: isWrite },
  'nothing taken by a write': { fault: 'nothing', times: 1, counts: isWrite },
};
const plans = isLong ? { ...shortPlans, ...longPlans } : shortPlans;
const shortages: readonly string[] = ['EMFILE', 'ENFILE', 'ENOMEM'];

type Lived = { readonly calls: FaultyFileSystem['calls']; readonly found: readonly string[] };

/** The story on a disk with a fault, and then a start on the disk as it was left, well again. */
async function liveOn(plan: FaultPlan, through = (disk: FileSystem): FileSystem => disk): Promise<Lived> {
  const disk = new PowerCutFileSystem();
  const faulty = new FaultyFileSystem(plan, disk);
  const promises = initialPromises();
  const found: string[] = [];
  const failed: Failed[] = [];
  let life: DocumentLife | undefined;
  try {
    life = await beginLife(through(faulty));
    failed.push(...(await live(life, promises)));
  } catch (error) {
    failed.push({ at: 'start', error });
  }
  if (shortages.includes(plan.fault) && life?.folder.health.degraded === true)
    found.push('a shortage stops the store');
  await life?.close().catch((error: unknown) => failed.push({ at: 'close', error }));
  const { calls } = faulty;
  for (const { at, error } of unexplained(failed)) found.push(`no words at ${at}: ${String(error)}`);
  found.push(...(await brokenPromises(disk, promises)));
  return { calls, found };
}

describe('a disk of which each call fails in its turn', { timeout: timeoutMs(120_000) }, () => {
  it.each(Object.entries(plans))('breaks no promise with %s', async (title, plan) => {
    const { calls } = await liveOn({ ...plan, at: Infinity });
    expect(calls.length).toBeGreaterThan(20);
    const found: string[] = [];
    for (let at = 1; at <= calls.length; at += 1) {
      const lived = await liveOn({ ...plan, at });
      const call = lived.calls[at - 1];
      const where = `call ${at}, ${call?.operation} ${call?.path}`;
      found.push(...lived.found.map((words) => `${where}: ${words}`));
    }
    expect(found.slice(0, 10)).toEqual([]);
    report(`failing disk: ${title}, at each of ${calls.length} calls, no promise broken`);
  });
});

describe('the rig finds', { timeout: 60_000 }, () => {
  /** The same in a product that ignores failed writes. */
  const foundIn = async (name: string): Promise<string> => {
    const counts: FaultPlan['counts'] = (operation, path) => isWrite(operation) && path.includes(name);
    const found: string[] = [];
    for (let at = 1; at <= 3; at += 1)
      found.push(...(await liveOn({ fault: 'ENOSPC', at, times: Infinity, counts }, hastyDisk)).found);
    return found.join('; ');
  };

  it.each([
    ['keys.json', /key first is|it does not start/],
    ['secrets.json', /secret TOKEN is|it does not start/],
    ['leads.workflow.yaml', /import is/],
    ['cassettes/leads.json', /cassette is|it fails/],
  ])('writes of %s that were answered for and not done', async (name, words) => {
    expect(await foundIn(name)).toMatch(words);
  });
});
