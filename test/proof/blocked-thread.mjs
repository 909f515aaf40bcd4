// Loaded into a server process by `--import`: one of its threads waits for ever, as for a disk that hangs or a DNS
// query without an answer.
import { execFileSync } from 'node:child_process';
import { open } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

// Storage threads load it as well.
if (isMainThread) {
  const pipe = join(process.argv[process.argv.indexOf('--data') + 1], 'pipe');
  execFileSync('mkfifo', [pipe]);
  // Opening the pipe waits for a writer.
  open(pipe, 'r', () => undefined);
}
