import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type TemporaryFolder = { readonly path: string; remove(): Promise<void> };

/** A folder of our own (0700) in the system's place for such; `remove` takes all that was put into it. */
export async function createTemporaryFolder(): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), 'rowbench-'));
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}
