import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { DurableFiles } from './durable/durable-files.ts';
import type { StoreParts } from './durable/store-parts.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';
import { StoreHealth } from './store-health.ts';

/** For looking at what another process may be writing: nothing is moved or written. */
export const readOnlyParts = ({ clock, log }: { readonly clock: Clock; readonly log: Log }): StoreParts => ({
  fileSystem: nodeFileSystem,
  files: new DurableFiles(nodeFileSystem, clock),
  health: new StoreHealth(log),
  clock,
  log,
  report: (notice) => log.warn({ notice }, 'stored data needs repair'),
  isReadOnly: true,
});
