import { join, resolve } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { DurableFiles } from './durable/durable-files.ts';
import type { StoreParts } from './durable/store-parts.ts';
import { nodeFileSystem } from './node-file-system.ts';
import { RunStore } from './run-store.ts';
import { StoreHealth } from './store-health.ts';

/** What can be read of stored runs while another process writes them: what is committed never changes. */
export type StoredRuns = Pick<RunStore, 'listIds' | 'read' | 'readCounts' | 'readOutputs'>;

/** The stored runs of a data folder, without taking its lock: for looking at them alone. */
export function openStoredRuns(
  path: string,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): StoredRuns {
  const parts: StoreParts = {
    fileSystem: nodeFileSystem,
    files: new DurableFiles(nodeFileSystem, clock),
    health: new StoreHealth(log),
    clock,
    log,
    report: (notice) => log.warn({ notice }, 'stored data needs repair'),
    isReadOnly: true,
  };
  const folder = resolve(path);
  return new RunStore(parts, { incoming: join(folder, 'incoming'), runs: join(folder, 'runs') });
}
