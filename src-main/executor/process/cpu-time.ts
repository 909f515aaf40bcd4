import { readFileSync } from 'node:fs';

/** Linux counts a process's computing in hundredths of a second, on every kind of machine. */
const msPerCount = 10;

/** Computing time of a process so far, in ms; undefined if the system does not report it or the process is gone. */
export function cpuMsOf(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    // The fields follow the program's name, which is in brackets and may contain anything. State is the first one.
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * msPerCount;
  } catch {
    // The process has ended; another event reports that.
    return undefined;
  }
}
