// The storage engines that implement the stores' ports: each spec of the ports runs for all of them.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStores, type OpenedStores } from './run-stores.ts';

export type Backend = {
  /** Opens what is stored; once before it is closed. */
  open(): Promise<OpenedStores>;
  /** Removes what is stored. */
  remove(): Promise<void>;
};

async function sqliteBackend(): Promise<Backend> {
  const folder = await mkdtemp(join(tmpdir(), 'rowbench-test-'));
  return {
    open: () => openStores(join(folder, 'data')),
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** The engine's name, and a new and empty store of it. */
export const backends: readonly (readonly [name: string, create: () => Promise<Backend>])[] = [
  ['SQLite', sqliteBackend],
];
