import { basename, resolve } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { DurableFiles } from '../durable/durable-files.ts';
import { nodeFileSystem } from '../../files/node-file-system.ts';
import { StoreHealth } from '../store-health.ts';
import { CassetteFile } from './cassette-file.ts';

/** A cassette where a person keeps it, such as beside a workflow. */
export const openCassetteFile = (
  path: string,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): CassetteFile =>
  new CassetteFile(
    {
      fileSystem: nodeFileSystem,
      files: new DurableFiles(nodeFileSystem, clock),
      health: new StoreHealth(log),
      clock,
      log,
      report: (notice) => log.warn({ notice }, 'a cassette needed repair'),
    },
    { path: resolve(path), label: basename(path) },
  );
