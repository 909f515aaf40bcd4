import { readFile } from 'node:fs/promises';
import { hasCode } from '../file-system.ts';

/** A process as a lock names it: a pid alone may be somebody else's by the time that it is read. */
export type ProcessIdentity = {
  readonly pid: number;
  /** When it started, in the machine's own terms; null where that cannot be told. */
  readonly start: string | null;
};

export const thisProcess = async (): Promise<ProcessIdentity> => ({
  pid: process.pid,
  start: await startOf(process.pid),
});

/** Whether that very process is still there. In doubt, yes. */
export async function isAlive(identity: ProcessIdentity): Promise<boolean> {
  if (!hasProcess(identity.pid)) return false;
  const start = await startOf(identity.pid);
  return start === null || identity.start === null || start === identity.start;
}

export function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is there, and somebody else's.
    return hasCode(error, 'EPERM');
  }
}

/** Clock ticks from the machine's start to the process's (Linux); null elsewhere. */
async function startOf(pid: number): Promise<string | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // Field 22; the second one is the program's name in brackets, which may itself hold spaces and brackets.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ESRCH', 'EACCES')) return null;
    throw error;
  }
}
