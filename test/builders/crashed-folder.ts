// What a killed process leaves: its lock, and a run's record as of an earlier moment.
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { silentLog } from '../../src-main/base/log.ts';
import { systemClock } from '../../src-main/base/system-clock.ts';
import type { Run } from '../../src-main/domain/run/run.ts';
import { openStoredRuns } from '../../src-main/storage/open-stored-runs.ts';

/** No process has this number: systems count far lower. */
const noPid = 2 ** 30;

/** Makes a data folder that was closed look as if its process had been killed. */
export const leaveStaleLock = (dataDir: string): Promise<void> =>
  writeFile(join(dataDir, 'lock'), JSON.stringify({ pid: noPid, start: null, token: 'gone' }));

/** Undoes the last change of a run's record, as if the process had ended before it reached the disk. */
export async function undoLastSave(dataDir: string, runId: string): Promise<void> {
  const file = join(dataDir, 'runs', runId, 'run.json');
  const compact = join(dataDir, 'runs', `${runId}.run`);
  const bytes = await readFile(compact).catch(() => undefined);
  if (bytes === undefined) return rename(`${file}.previous`, file);
  const kept = bytes.subarray(0, bytes.lastIndexOf('\nrecord ') + 1);
  // As much as it had told before, or less.
  kept.fill('0', kept.indexOf('\n') - 12, kept.indexOf('\n'));
  await writeFile(compact, kept);
}

/** The record as the disk has it. */
export async function storedRun(dataDir: string, runId: string): Promise<Partial<Run>> {
  const stored = openStoredRuns(dataDir, { clock: systemClock, log: silentLog });
  return (await stored.read(runId)) ?? {};
}
