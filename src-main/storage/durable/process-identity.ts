import { readFile } from 'node:fs/promises';
import { hasCode } from '../../files/file-system.ts';

/** The identity of a process in a lock. The pid alone is not enough, since systems reuse pids. */
export type ProcessIdentity = {
  readonly pid: number;
  /** Start time in the system's own unit; null if unknown. */
  readonly start: string | null;
};

export const thisProcess = async (): Promise<ProcessIdentity> => ({
  pid: process.pid,
  start: await startOf(process.pid),
});

/** True if this process still exists, or may exist. */
export async function isAlive(identity: ProcessIdentity): Promise<boolean> {
  if (!hasProcess(identity.pid)) return false;
  // A killed process stays in the process table until its parent collects it, but has no resources any more.
  if (deadStates.has((await statOf(identity.pid))?.state ?? '')) return false;
  const start = await startOf(identity.pid);
  return start === null || identity.start === null || start === identity.start;
}

export function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return hasCode(error, 'EPERM');
  }
}

/** States of ended processes: zombie and dead. */
const deadStates = new Set(['Z', 'X']);

/** Clock ticks from the machine's start to the process's (Linux); null elsewhere. */
const startOf = async (pid: number): Promise<string | null> => (await statOf(pid))?.start ?? null;

/** State and start of a process on Linux; undefined elsewhere, or when the process has gone. */
async function statOf(pid: number): Promise<{ state: string; start: string } | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in brackets, which may contain spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', start: fields[19] ?? '' };
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ESRCH', 'EACCES')) return undefined;
    throw error;
  }
}
