import { readFileSync } from 'node:fs';

/** Linux counts a process's computing in hundredths of a second, on every kind of machine. */
const msPerCount = 10;

/** Computing time of a process so far; undefined where the system does not tell, or when it is gone. */
export function cpuMsOf(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    // After the name in brackets, which may hold anything: state is the first field, user and system time follow.
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * msPerCount;
  } catch {
    // Gone meanwhile; its end is told elsewhere.
    return undefined;
  }
}
