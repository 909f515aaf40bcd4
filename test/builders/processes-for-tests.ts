// What the apps and services of one test process share, since a process takes longer to start than most tests, and how they
// open their data folders.
import { join } from 'node:path';
import { openLocalBackend } from '../../src-main/app/open-backend.ts';
import { silentLog } from '../../src-main/base/log.ts';
import { systemClock } from '../../src-main/base/system-clock.ts';
import { defaultSettings, type Settings } from '../../src-main/domain/settings.ts';
import type { RowWorker } from '../../src-main/executor/pool/row-worker.ts';
import { WorkerPool } from '../../src-main/executor/pool/worker-pool.ts';
import { parserInProcess } from '../../src-main/services/workflows/file-parser.ts';
import type { ServiceOptions } from '../../src-main/services/platform.ts';

const workerScript = join(import.meta.dirname, '../../dist/row-worker.cjs');
let pool: WorkerPool | undefined;

/** Its workers serve one plan after another, whereas those of a server are started for each workflow. */
class ReusingPool extends WorkerPool {
  override lease(request: Parameters<WorkerPool['lease']>[0]): Promise<RowWorker | undefined> {
    return super.lease({ ...request, planKey: anyPlan });
  }

  override release(worker: RowWorker): void {
    super.release(worker, anyPlan);
  }
}

const anyPlan = 'any plan';

/** As a short process opens its data folder. */
export const oneStorageThread: Pick<ServiceOptions, 'openBackend'> = {
  openBackend: (options) => openLocalBackend({ ...options, isShort: true }),
};

/** Processes for tests that do not depend on them. Settings with limits of row workers need separate workers. */
export function sharedProcesses(settings: Partial<Settings> = {}): Pick<ServiceOptions, 'pool' | 'parser'> {
  const areOwn = settings.rowTimeLimitMs !== undefined || settings.workerMemoryMb !== undefined;
  return { parser: parserInProcess, pool: areOwn ? undefined : sharedPool() };
}

/** Row workers with the limits of the default settings. */
export function sharedPool(): WorkerPool {
  const { rowTimeLimitMs: timeLimitMs, workerMemoryMb: memoryMb } = defaultSettings;
  pool ??= new ReusingPool({ workerScript, clock: systemClock, log: silentLog, timeLimitMs, memoryMb });
  return pool;
}

/** Ends the shared processes, for specs that count processes. The next app that shares them starts new ones. */
export async function closeSharedWorkers(): Promise<void> {
  await pool?.close();
  pool = undefined;
}
