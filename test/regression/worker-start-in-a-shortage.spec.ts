// A run whose row worker could not be started, because the system had no file descriptor to spare, failed for good.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { silentLog } from '../../src-main/base/log.ts';
import { systemClock } from '../../src-main/base/system-clock.ts';
import { forkWorkers, makeWorkingFolder } from '../../src-main/executor/process/fork-worker.ts';
import { OrphanGuard } from '../../src-main/executor/process/orphan-guard.ts';
import type { StartWorker } from '../../src-main/executor/process/worker-process.ts';
import { WorkerPool } from '../../src-main/executor/worker-pool.ts';
import { beginLife, workflowsOf } from '../builders/durability/product-life.ts';
import { PowerCutFileSystem } from '../builders/power-cut-file-system.ts';

const script = join(import.meta.dirname, '../../dist/row-worker.js');
const quick = `rowbench: 1
id: quick
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: { n: "=row.n" } }
`;
const shortage = Object.assign(new Error('spawn EMFILE'), { code: 'EMFILE' });

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
  const workflows = await workflowsOf({ quick });
  const life = await beginLife({ path: '/data', disk: new PowerCutFileSystem(), pool, workflows });
  try {
    await life.runs.recover();
    const workflow = await workflows.find('quick');
    if (workflow === undefined) throw new Error('no workflow');
    const draft = await life.runs.beginRun({ workflow, origin: { kind: 'cli' } });
    await draft.write(Buffer.from('{"n":1}\n'));
    const { runId } = await draft.accept(1);
    const status = async (): Promise<string> => (await life.runs.get(runId)).run.status;
    await expect.poll(status, { timeout: 20_000 }).toMatch(/completed|failed/);
    expect(await status()).toBe('completed');
    expect(refusals).toBe(5);
  } finally {
    await life.close();
    await pool.close();
    guard.close();
    await remove();
  }
});
