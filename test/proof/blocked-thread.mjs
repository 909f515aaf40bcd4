// Loaded into a server process by `--import`: one of its threads waits for ever, as for a disk that stands still or a
// name that nobody resolves.
import { execFileSync } from 'node:child_process';
import { open } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

// Storage threads load it as well.
if (isMainThread) {
  const pipe = join(process.argv[process.argv.indexOf('--data') + 1], 'pipe');
  execFileSync('mkfifo', [pipe]);
  // Opening it waits for somebody who writes.
  open(pipe, 'r', () => undefined);
}
