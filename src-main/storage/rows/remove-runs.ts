import { basename, dirname } from 'node:path';
import { runInUse } from '../../domain/errors.ts';
import type { StoreParts } from '../durable/store-parts.ts';
import { hasCode } from '../file-system.ts';
import type { RunFolder } from './run-folder.ts';

/** Of folders that are gone for everybody and still to be removed. */
export const removedSuffix = '.removed';

/**
 * Removes runs for good, those that are there: after a crash on the way each is there whole or gone. Resolves to what was
 * thrown, by the run's id: `move_not_allowed` for one that is read, `store_degraded`.
 */
export async function removeRuns(
  parts: StoreParts,
  folders: readonly RunFolder[],
): Promise<ReadonlyMap<string, Error>> {
  const { fileSystem, health, log } = parts;
  const failures = new Map<string, Error>();
  const noted = async (paths: readonly string[], act: () => Promise<void>): Promise<void> => {
    try {
      await health.attempt(act);
    } catch (error) {
      // What `attempt` throws are errors.
      for (const path of paths) failures.set(basename(path), error as Error);
    }
  };
  const renamed: string[] = [];
  for (const folder of folders)
    await noted([folder.path], async () => {
      if (!(await folder.exists())) return;
      await moveAside(parts, folder.path);
      renamed.push(folder.path);
    });
  const [first] = renamed;
  if (first === undefined) return failures;
  // Once for all: nothing in them goes before it is sure that they are gone.
  await noted(renamed, () => fileSystem.syncFolder(dirname(first)));
  for (const path of renamed.filter((each) => !failures.has(basename(each))))
    await fileSystem.remove(path + removedSuffix).catch((error: unknown) => {
      // It is gone for everybody; the next start clears away what is left.
      log.warn({ error }, 'the files of an old run could not be removed');
    });
  return failures;
}

async function moveAside({ files }: StoreParts, path: string): Promise<void> {
  try {
    await files.rename(path, path + removedSuffix);
  } catch (error) {
    // Windows does not rename a folder while a file in it is open; the disk is well.
    throw hasCode(error, 'EPERM', 'EBUSY', 'EACCES') ? runInUse(basename(path), error) : error;
  }
}
