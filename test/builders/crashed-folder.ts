// What a killed process leaves: its lock, and a run's record as of an earlier moment.
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** No process has this number: systems count far lower. */
const noPid = 2 ** 30;

/** Makes a data folder that was closed look as if its process had been killed. */
export const leaveStaleLock = (dataDir: string): Promise<void> =>
  writeFile(join(dataDir, 'lock'), JSON.stringify({ pid: noPid, start: null, token: 'gone' }));

/** Undoes the last change of a run's record, as if the process had ended before it reached the disk. */
export async function undoLastSave(dataDir: string, runId: string): Promise<void> {
  const file = join(dataDir, 'runs', runId, 'run.json');
  await rename(`${file}.previous`, file);
}

export async function storedRun(dataDir: string, runId: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(join(dataDir, 'runs', runId, 'run.json'), 'utf8')) as Record<
    string,
    unknown
  >;
}
