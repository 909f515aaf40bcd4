import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Lets each write of a running process fail that reaches beyond the size, as on a disk that has failed (EFBIG; node
 * ignores the signal that comes with it). Linux alone can do that.
 */
export async function limitFileSize(pid: number, bytes: number): Promise<void> {
  await promisify(execFile)('prlimit', ['--pid', String(pid), `--fsize=${bytes}`]);
}
