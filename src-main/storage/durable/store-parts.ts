import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { FileSystem } from '../../files/file-system.ts';
import type { StoreHealth } from '../store-health.ts';
import type { DurableFiles } from './durable-files.ts';

/** The collaborators that every store is built from. */
export type StoreParts = {
  readonly fileSystem: FileSystem;
  readonly files: DurableFiles;
  readonly health: StoreHealth;
  readonly clock: Clock;
  readonly log: Log;
  /** Tells a person what was repaired or set aside. */
  readonly report: (notice: string) => void;
  /** Set where the folder belongs to another process: then nothing in it is moved or written. */
  readonly isReadOnly?: true;
};
