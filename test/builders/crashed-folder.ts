// What a killed process leaves: its lock, and a run's record as of an earlier moment.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { silentLog } from '../../src-main/base/log.ts';
import { systemClock } from '../../src-main/base/system-clock.ts';
import type { Run } from '../../src-main/domain/run/run.ts';
import { openStoredRuns } from '../../src-main/storage/open-run-stores.ts';
import { storageThread, withRunStores } from './run-stores.ts';

/** No process has this number: systems count far lower. */
const noPid = 2 ** 30;

/** Makes a data folder that was closed look as if its process had been killed. */
export const leaveStaleLock = (dataDir: string): Promise<void> =>
  writeFile(join(dataDir, 'lock'), JSON.stringify({ pid: noPid, start: null, token: 'gone' }));

/** Takes a run's record back to an unfinished status, as if the process had ended before the next one was stored. */
export function rewindRun(dataDir: string, runId: string, status: 'running' | 'pausing'): Promise<void> {
  return withRunStores(dataDir, async ({ runs }) => {
    const { run } = (await runs.find(runId)) ?? {};
    if (run === undefined) throw new Error(`there is no run ${runId}`);
    const { retentionStamp, pausedAt, ...record } = run;
    const { counts, error, ...unfinished } = { counts: undefined, error: undefined, ...record };
    await runs.save({ ...unfinished, status, finishedAt: null });
  });
}

/** The run's record in the file, read as another process does. */
export async function storedRun(dataDir: string, runId: string): Promise<Partial<Run>> {
  const { runs, database } = await openStoredRuns(dataDir, {
    script: storageThread,
    clock: systemClock,
    log: silentLog,
  });
  try {
    return (await runs.find(runId))?.run ?? {};
  } finally {
    await database.close();
  }
}
