// A run whose row worker could not be started, because the system had no file descriptor to spare, failed for good.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSources } from '../../src-main/services/workflows/source-service.ts';
import { silentLog } from '../../src-main/base/log.ts';
import { systemClock } from '../../src-main/base/system-clock.ts';
import { defaultSettings } from '../../src-main/domain/settings.ts';
import { offlineUpstream } from '../../src-main/executor/upstream/offline-upstream.ts';
import { forkWorkers, makeWorkingFolder } from '../../src-main/executor/process/fork-worker.ts';
import { OrphanGuard } from '../../src-main/executor/process/orphan-guard.ts';
import type { StartWorker } from '../../src-main/executor/process/worker-process.ts';
import { WorkerPool } from '../../src-main/executor/pool/worker-pool.ts';
import { PlanCache } from '../../src-main/services/runs/plan-cache.ts';
import { LocalRuns } from '../../src-main/services/runs/local-runs.ts';
import { RunService } from '../../src-main/services/runs/run-service.ts';
import { TrustService } from '../../src-main/services/workflows/trust-service.ts';
import { parserInProcess } from '../../src-main/services/workflows/file-parser.ts';
import { WorkflowService } from '../../src-main/services/workflows/workflow-service.ts';
import { WorkflowFiles } from '../../src-main/storage/documents/workflow-files.ts';
import { openStores } from '../builders/run-stores.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';

const script = join(import.meta.dirname, '../../dist/row-worker.cjs');
const quick = `rowbench: 1
id: quick
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: { n: "=row.n" } }
`;
const shortage = Object.assign(new Error('spawn EMFILE'), { code: 'EMFILE' });

/** The run service over a folder of its own, with that pool. */
async function openRuns(pool: WorkerPool) {
  const stores = await openStores(join(await temporaryFolder(), 'data'));
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'quick.workflow.yaml'), quick);
  const workflows = new WorkflowService({ files: new WorkflowFiles({ folders: [folder] }), log: silentLog });
  const { runs: store, snapshots, folder: data } = stores;
  const settings = () => defaultSettings;
  const both = {
    store,
    plans: new PlanCache(snapshots),
    health: data.health,
    settings,
    clock: systemClock,
    log: silentLog,
  };
  const upstreamOf = async () => offlineUpstream('nothing calls out here');
  const local = { ...both, pool, upstreamOf, wasCrashed: false };
  const runs = new RunService({
    ...both,
    snapshots,
    retentionDocument: data.retention,
    workflows,
    trust: new TrustService({ document: data.workflows, clock: systemClock, log: silentLog }),
    sources: openSources(),
    parser: parserInProcess,
    openUnfinished: (listeners) => new LocalRuns(local, listeners),
  });
  return { stores, runs, workflows };
}

it('a run waits for its row worker and completes', async () => {
  const { path: workingFolder, remove } = await makeWorkingFolder();
  const guard = new OrphanGuard();
  const fork = forkWorkers({ script, memoryMb: 128, workingFolder, guard });
  let refusals = 0;
  const startWorker: StartWorker = (events) => {
    if (refusals === 5) return fork(events);
    refusals += 1;
    setImmediate(() =>
      events.onExit({ code: null, signal: null, errorText: shortage.message, error: shortage }),
    );
    return {
      send: () => undefined,
      cpuMs: () => undefined,
      residentBytes: () => undefined,
      kill: () => undefined,
    };
  };
  const options = {
    workerScript: script,
    clock: systemClock,
    log: silentLog,
    timeLimitMs: 5000,
    memoryMb: 128,
  };
  const pool = new WorkerPool({ ...options, startWorker });
  const { stores, runs, workflows } = await openRuns(pool);
  try {
    await runs.recover();
    const workflow = await workflows.find('quick');
    if (workflow === undefined) throw new Error('no workflow');
    const draft = await runs.beginRun({ workflow, origin: { kind: 'cli' } });
    await draft.write(Buffer.from('{"n":1}\n'));
    const { runId } = await draft.accept(1);
    const status = async (): Promise<string> => (await runs.get(runId)).run.status;
    await expect.poll(status, { timeout: 20_000 }).toMatch(/completed|failed/);
    expect(await status()).toBe('completed');
    expect(refusals).toBe(5);
  } finally {
    await runs.close();
    await stores.close();
    await pool.close();
    guard.close();
    await remove();
  }
});
