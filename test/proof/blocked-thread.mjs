// Loaded into a server process by `--import`: one of its threads waits for ever, as for a disk that stands still or a
// name that nobody resolves.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, open } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const pipe = join(mkdtempSync(join(tmpdir(), 'rowbench-test-')), 'pipe');
execFileSync('mkfifo', [pipe]);
// Opening it waits for somebody who writes.
open(pipe, 'r', () => undefined);
