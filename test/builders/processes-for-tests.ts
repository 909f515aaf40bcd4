// What the apps and services of one test process share, since a process takes longer to start than most tests.
import { join } from 'node:path';
import { silentLog } from '../../src-main/base/log.ts';
import { systemClock } from '../../src-main/base/system-clock.ts';
import { defaultSettings, type Settings } from '../../src-main/domain/settings.ts';
import { WorkerPool } from '../../src-main/executor/pool/worker-pool.ts';
import { parserInProcess } from '../../src-main/services/file-parser.ts';
import type { ServiceOptions } from '../../src-main/app/open-services.ts';

const workerScript = join(import.meta.dirname, '../../dist/row-worker.js');
let pool: WorkerPool | undefined;

/** For a test that has nothing to say of these processes. Settings that bound row workers need workers of their own. */
export function sharedProcesses(settings: Partial<Settings> = {}): Pick<ServiceOptions, 'pool' | 'parser'> {
  const { rowTimeLimitMs: timeLimitMs, workerMemoryMb: memoryMb } = defaultSettings;
  const areOwn = settings.rowTimeLimitMs !== undefined || settings.workerMemoryMb !== undefined;
  pool ??= new WorkerPool({ workerScript, clock: systemClock, log: silentLog, timeLimitMs, memoryMb });
  return { parser: parserInProcess, pool: areOwn ? undefined : pool };
}

/** For a spec that counts the processes of this one. The next app that shares starts new workers. */
export async function closeSharedWorkers(): Promise<void> {
  await pool?.close();
  pool = undefined;
}
