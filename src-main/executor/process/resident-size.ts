import { readFileSync } from 'node:fs';
import type { MemoryWatcher } from './memory-limit.ts';

/**
 * Memory of a process that is in RAM (its resident set), in bytes: heap, native memory, and pages that it shares with
 * other processes. Undefined where the system has no /proc, or when the process is gone.
 */
export function residentBytesOf(pid: number): number | undefined {
  try {
    // In kB on every machine; /proc/<pid>/statm counts pages, whose size Node does not tell.
    const text = readFileSync(`/proc/${pid}/status`, 'latin1');
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(text)?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}

/** The main process where the system tells it the size of other processes, and the worker itself elsewhere. */
export const usualMemoryWatcher = (): MemoryWatcher =>
  residentBytesOf(process.pid) === undefined ? 'worker-thread' : 'main-process';

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
