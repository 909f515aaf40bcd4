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
