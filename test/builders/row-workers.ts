import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Process ids of a process's row workers (this one's, unless told otherwise), oldest first. */
export const rowWorkers = async (of = process.pid): Promise<number[]> =>
  (await children(of)).filter(({ args }) => args.includes('row-worker.cjs')).map(({ pid }) => pid);

/** Command lines of the processes that a process has started (this one, unless told otherwise), oldest first. */
export const childProcesses = async (of = process.pid): Promise<string[]> =>
  (await children(of)).map(({ args }) => args);

type Child = { readonly pid: number; readonly args: string };

async function children(of: number): Promise<readonly Child[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,ppid=,args=', '--sort=start_time']);
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent]) => Number(parent) === of)
    .map(([pid, , ...args]) => ({ pid: Number(pid), args: args.join(' ') }));
}
