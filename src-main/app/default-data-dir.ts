import { homedir } from 'node:os';
import { defaultDataFolder } from '../storage/data-location.ts';

/** Where this machine's user keeps Rowbench's data when no folder is named. */
export const defaultDataDir = (): string =>
  defaultDataFolder({ platform: process.platform, env: process.env, home: homedir() });
