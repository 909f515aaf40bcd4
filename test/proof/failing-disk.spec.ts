// Every call to the file system fails in its turn, over a whole story: start, settings, keys, acceptance, commits, ends
// of runs, retention. Whatever was answered is there when the fault is over, and no failure goes untold.
// ROWBENCH_PROOF=long tries every fault in both ways.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WorkerPool } from '../../src-main/executor/worker-pool.ts';
import type { WorkflowService } from '../../src-main/services/workflow-service.ts';
import type { FileSystem } from '../../src-main/storage/file-system.ts';
import { brokenPromises } from '../builders/durability/check-promises.ts';
import { beginLife, openPool, workflowsOf, type ProductLife } from '../builders/durability/product-life.ts';
import {
  live,
  noPromises,
  storyWorkflows,
  untold,
  type Failed,
} from '../builders/durability/product-story.ts';
import { layouts, type Layout } from '../builders/durability/run-layouts.ts';
import { hastyDisk, withoutWrites } from '../builders/durability/unfaithful-disks.ts';
import { FaultyFileSystem, type FaultPlan, type Operation } from '../builders/faulty-file-system.ts';
import { PowerCutFileSystem } from '../builders/power-cut-file-system.ts';
import { isLong, patience, report } from './length.ts';

const isWrite = (operation: Operation): boolean => operation === 'file.write';
const isReading = (operation: Operation | undefined): boolean =>
  operation !== undefined && /^(open|list|stat|file\.(read|size|close))$/.test(operation);
type Plan = Omit<FaultPlan, 'at'>;

/** Operations that need a file descriptor. */
const needsDescriptor = (operation: Operation): boolean => /^(open|list|syncFolder)$/.test(operation);

const shortPlans: Readonly<Record<string, Plan>> = {
  'EIO once': { fault: 'EIO', times: 1 },
  'EIO from there on': { fault: 'EIO', times: Infinity },
  'ENOSPC of writes from there on': { fault: 'ENOSPC', times: Infinity, counts: isWrite },
  'EMFILE once': { fault: 'EMFILE', times: 1, counts: needsDescriptor },
  'EMFILE for three calls': { fault: 'EMFILE', times: 3, counts: needsDescriptor },
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

let pool: WorkerPool;
let workflows: WorkflowService;
beforeAll(async () => {
  pool = openPool();
  workflows = await workflowsOf(storyWorkflows);
});
afterAll(() => pool.close());

type Lived = { readonly calls: FaultyFileSystem['calls']; readonly found: readonly string[] };

/** The story on a disk with a fault, and then a start on the disk as it was left, well again. */
async function liveOn(
  plan: FaultPlan,
  { mostCompactBytes }: Layout,
  through = (disk: FileSystem): FileSystem => disk,
): Promise<Lived> {
  const disk = new PowerCutFileSystem();
  const faulty = new FaultyFileSystem(plan, disk);
  const promises = noPromises();
  const parts = { path: '/data', pool, workflows, mostCompactBytes };
  const found: string[] = [];
  const failed: Failed[] = [];
  let life: ProductLife | undefined;
  try {
    life = await beginLife({ ...parts, disk: through(faulty) });
    failed.push(...(await live(life, promises)));
  } catch (error) {
    failed.push({ at: 'start', error });
  }
  if (plan.fault === 'EMFILE' && life?.folder.health.degraded === true)
    found.push('a shortage of descriptors stops the store');
  await life?.close().catch((error: unknown) => failed.push({ at: 'close', error }));
  const { calls } = faulty;
  for (const { at, error } of untold(failed)) found.push(`untold at ${at}: ${String(error)}`);
  const mayFail = isReading(calls[plan.at - 1]?.operation);
  found.push(...(await brokenPromises({ ...parts, disk }, promises, { mayFail })));
  return { calls, found };
}

const cases = Object.entries(plans).flatMap(([title, plan]) =>
  layouts.map((layout) => ({ title, plan, ...layout })),
);

describe('a disk of which each call fails in its turn', { timeout: patience(900_000) }, () => {
  it.each(cases)('breaks no promise with $title, runs $layout', async ({ title, plan, ...layout }) => {
    const { calls } = await liveOn({ ...plan, at: Infinity }, layout);
    expect(calls.length).toBeGreaterThan(20);
    const found: string[] = [];
    for (let at = 1; at <= calls.length; at += 1) {
      const lived = await liveOn({ ...plan, at }, layout);
      const call = lived.calls[at - 1];
      const where = `call ${at}, ${call?.operation} ${call?.path}`;
      found.push(...lived.found.map((words) => `${where}: ${words}`));
    }
    expect(found.slice(0, 10)).toEqual([]);
    report(
      `failing disk: ${title}, at each of ${calls.length} calls, runs ${layout.layout}, no promise broken`,
    );
  });
});

describe('the rig sees', { timeout: 60_000 }, () => {
  /** Of a product that takes every write for done. */
  const foundFrom = async (at: number, name: string, layout: Layout = layouts[1]): Promise<string> => {
    const counts: FaultPlan['counts'] = (operation, path) => isWrite(operation) && path.includes(name);
    const { found } = await liveOn({ fault: 'ENOSPC', at, times: Infinity, counts }, layout, hastyDisk);
    return found.join('; ');
  };

  it('rows that were answered for and not written', async () => {
    expect(await foundFrom(1, 'rows.ndjson')).toContain('run 1 was told as failed');
  });

  it('outputs that were told and not written', async () => {
    expect(await foundFrom(1, 'outputs.ndjson')).toContain('are damaged');
  });

  it('a whole run that was told and not written', async () => {
    expect(await foundFrom(1, 'results')).toContain('committed rows are gone');
  });

  it('a run in one file that was answered for and not written', async () => {
    const plan: FaultPlan = { fault: 'EIO', at: Infinity, times: 1 };
    const lived = await liveOn(plan, layouts[0], (disk) =>
      withoutWrites(disk, (path) => path.includes('/spare-')),
    );
    expect(lived.found.join('; ')).toContain('cannot be read');
  });

  it('the end of a run in one file that was told and not written', async () => {
    expect(await foundFrom(1, '.run', layouts[0])).toContain('was told as completed');
  });

  it('a key that was answered for and not written', async () => {
    expect(await foundFrom(3, 'keys.json')).toContain('a key is lost');
  });
});
