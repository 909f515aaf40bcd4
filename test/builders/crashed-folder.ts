// The traces of a killed process: its lock, and a run's record of an earlier moment.
import { runSchema } from '../../src-main/domain/run/run.ts';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { withRunStores } from './run-stores.ts';

/** No process has this number: systems count far lower. */
const noPid = 2 ** 30;

/** Makes a data folder that was closed look as if its process had been killed. */
export async function leaveStaleLock(dataDir: string): Promise<void> {
  const lock = join(dataDir, 'lock');
  // On a busy machine a close does not wait until the lock is gone, and would take this one away.
  await expect.poll(() => stat(lock).catch(() => undefined)).toBeUndefined();
  await writeFile(lock, JSON.stringify({ pid: noPid, start: null, token: 'gone' }));
}

/** Sets a run's record back to an unfinished status, as if the process had ended before it stored the next one. */
export function rewindRun(dataDir: string, runId: string, status: 'running' | 'pausing'): Promise<void> {
  return withRunStores(dataDir, async ({ runs }) => {
    const { run } = (await runs.find(runId)) ?? {};
    if (run === undefined) throw new Error(`there is no run ${runId}`);
    const ended = ['retentionStamp', 'pausedAt', 'counts', 'error'];
    const unfinished = Object.entries(run).filter(([name]) => !ended.includes(name));
    await runs.save(runSchema.parse({ ...Object.fromEntries(unfinished), status, finishedAt: null }));
  });
}
