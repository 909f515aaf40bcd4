// What a process of this machine holds, read from /proc: Linux alone has it.
import { readFile, readdir } from 'node:fs/promises';

export type Usage = { readonly megabytes: number; readonly descriptors: number };

/** Resident memory of a process, in MB, and its number of open file descriptors. */
export async function usageOf(pid: number): Promise<Usage> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8');
  const kilobytes = Number(/^VmRSS:\s+(\d+) kB/m.exec(text)?.[1]);
  return { megabytes: kilobytes / 1024, descriptors: (await readdir(`/proc/${pid}/fd`)).length };
}
