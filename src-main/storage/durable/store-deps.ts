import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { FileSystem } from '../../files/file-system.ts';
import { nodeFileSystem } from '../../files/node-file-system.ts';
import { StoreHealth } from '../runs/store-health.ts';
import { DurableFiles } from './durable-files.ts';

/** The collaborators that every store of files is built from. */
export type StoreDeps = {
  readonly fileSystem: FileSystem;
  readonly files: DurableFiles;
  readonly health: StoreHealth;
  readonly clock: Clock;
  readonly log: Log;
  /** Reports repaired and renamed files to the user. */
  readonly report: (notice: string) => void;
  /** Set if another process has the folder: then no file is moved or written. */
  readonly isReadOnly?: true;
};

type Options = Pick<StoreDeps, 'clock' | 'log' | 'isReadOnly'> &
  Partial<Pick<StoreDeps, 'fileSystem' | 'report'>>;

/** Collaborators with a health of their own; without a file system they use the machine's. */
export const createStoreDeps = ({ fileSystem = nodeFileSystem, ...options }: Options): StoreDeps => ({
  report: (notice) => options.log.warn({ notice }, 'stored data needs repair'),
  ...options,
  fileSystem,
  files: new DurableFiles(fileSystem, options.clock),
  health: new StoreHealth(options.log),
});
