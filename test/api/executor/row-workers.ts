import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Process ids of this process's row workers, oldest first. */
export async function rowWorkers(): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,ppid=,args=', '--sort=start_time']);
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(
      ([, parent, ...args]) => Number(parent) === process.pid && args.join(' ').includes('row-worker.js'),
    )
    .map(([pid]) => Number(pid));
}
