// Memory and processor time of a process and of those that it started, as Linux counts them.
import { readdir, readFile } from 'node:fs/promises';

export const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** Ids of all processes below this one. */
export async function descendants(pid: number): Promise<number[]> {
  const listed = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const children = listed.split(' ').filter(Boolean).map(Number);
  return [...children, ...(await Promise.all(children.map(descendants))).flat()];
}

/** Peak memory of the process and of each descendant, in MB. */
export const peaksMbOf = (pid: number): Promise<number[]> =>
  ofFamily(pid, (member) => kilobytes(`/proc/${member}/status`, /^VmHWM:\s+(\d+) kB/m));

/** Memory of the process and its descendants, in MB; pages that they share are counted once. */
export const memoryMbOf = async (pid: number): Promise<number> =>
  sumOf(await ofFamily(pid, (member) => kilobytes(`/proc/${member}/smaps_rollup`, /^Pss:\s+(\d+) kB/m)));

/** Resident memory of one process, in MB. */
export const residentMbOf = (pid: number): Promise<number> =>
  kilobytes(`/proc/${pid}/status`, /^VmRSS:\s+(\d+) kB/m);

/** Processor time of the process and its descendants, in ms. Processes and threads that have ended are not counted. */
export const familyCpuMs = async (pid: number): Promise<number> => sumOf(await ofFamily(pid, cpuMsOf));

/** Processor time of all threads of one process, in ms. */
export async function cpuMsOf(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`);
  const times = threads.map(async (thread) => {
    const text = await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').catch(() => '0');
    return Number(text.split(' ')[0]) / 1e6;
  });
  return sumOf(await Promise.all(times));
}

const ofFamily = async (pid: number, read: (member: number) => Promise<number>): Promise<number[]> =>
  Promise.all([pid, ...(await descendants(pid))].map(read));

async function kilobytes(file: string, pattern: RegExp): Promise<number> {
  return Number(pattern.exec(await readFile(file, 'utf8'))?.[1] ?? 0) / 1024;
}
