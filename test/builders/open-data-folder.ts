// A data folder without services, on any disk.
import type { Clock } from '../../src-main/base/clock.ts';
import { silentLog } from '../../src-main/base/log.ts';
import { systemClock } from '../../src-main/base/system-clock.ts';
import { openDataFolder, type DataFolder } from '../../src-main/storage/data-folder.ts';
import type { FileSystem } from '../../src-main/files/file-system.ts';

/** Real time stamps, but no waiting: a timer fires in the next turn. */
const hurriedClock: Clock = {
  ...systemClock,
  setTimer(_ms, fire) {
    const turn = setImmediate(fire);
    return () => clearImmediate(turn);
  },
};

export const openFolder = (
  path: string,
  fileSystem?: FileSystem,
  { clock = hurriedClock }: { readonly clock?: Clock } = {},
): Promise<DataFolder> =>
  openDataFolder({
    path,
    clock,
    log: silentLog,
    ...(fileSystem === undefined ? {} : { fileSystem }),
  });
