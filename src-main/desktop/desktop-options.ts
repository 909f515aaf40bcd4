import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Updater } from './updates.ts';

/** Options with which the desktop app starts, and its collaborators. */
export type DesktopOptions = {
  /** Folder of the built programs and pages. */
  readonly folder: string;
  readonly icon: string;
  readonly platform: NodeJS.Platform;
  readonly argv: readonly string[];
  /** Path of the file that names where new versions are published. */
  readonly feedFile: string;
  readonly loadUpdater: () => Promise<Updater>;
  readonly clock: Clock;
  readonly log: Log;
};
