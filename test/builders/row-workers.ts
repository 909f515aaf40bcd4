import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Process ids of a process's row workers (this one's, unless told otherwise), oldest first. */
export async function rowWorkers(of = process.pid): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,ppid=,args=', '--sort=start_time']);
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, ...args]) => Number(parent) === of && args.join(' ').includes('row-worker.js'))
    .map(([pid]) => Number(pid));
}
