import { basename } from 'node:path';
import { runInUse } from '../../domain/errors.ts';
import type { StoreParts } from '../durable/store-parts.ts';
import { hasCode } from '../file-system.ts';
import type { CompactRuns } from './compact-runs.ts';
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
  compact: CompactRuns,
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
  /** Each was one file, and is removed. */
  const gone: string[] = [];
  for (const folder of folders)
    await noted([folder.path], async () => {
      if (await folder.isCompact()) {
        await orInUse(folder.runId, () => compact.remove(folder.runId));
        gone.push(folder.path);
      } else if (await folder.exists()) {
        await compact.removeLeftover(folder.runId);
        await orInUse(folder.runId, () => parts.files.rename(folder.path, folder.path + removedSuffix));
        renamed.push(folder.path);
      }
    });
  const moved = [...renamed, ...gone];
  if (moved.length === 0) return failures;
  // Once for all: nothing in them goes before it is sure that they are gone.
  await noted(moved, () => compact.sync());
  for (const path of renamed.filter((each) => !failures.has(basename(each))))
    await fileSystem.remove(path + removedSuffix).catch((error: unknown) => {
      // It is gone for everybody; the next start clears away what is left.
      log.warn({ error }, 'the files of an old run could not be removed');
    });
  return failures;
}

async function orInUse(runId: string, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    // Windows does not rename a folder while a file in it is open; the disk is well.
    throw hasCode(error, 'EPERM', 'EBUSY', 'EACCES') ? runInUse(runId, error) : error;
  }
}
