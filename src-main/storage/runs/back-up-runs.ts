import { rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { backupExists } from '../../domain/store-errors.ts';
import { nodeFileSystem } from '../../files/node-file-system.ts';
import { openStoredRuns } from './open-run-stores.ts';

type BackupOptions = {
  /** The data folder. */
  readonly from: string;
  /** The file to be made. */
  readonly to: string;
  /** Path of the bundled storage thread. */
  readonly script: string;
  readonly clock: Clock;
  readonly log: Log;
};

/** The copy under way. One that a killed backup left is removed when the next backup to the same file starts. */
const partialBackup = (to: string): string => `${to}.partial`;

/** The copy under way and SQLite's journal of it: with the journal of an earlier copy, SQLite would roll a new one back. */
const partialFiles = (to: string): string[] => [partialBackup(to), `${partialBackup(to)}-journal`];

/** Removes the unfinished copy of a backup that a signal ends. A signal handler cannot wait for a promise. */
export function removePartialBackup(to: string): void {
  for (const file of partialFiles(to)) rmSync(file, { force: true });
}

/**
 * Copies all stored runs and row sets into one file; the folder may be in use. The file is complete or does not exist.
 * Resolves to its size in bytes. Throws `invalid_input` for a file that exists, `data_unreadable`.
 */
export async function backUpRuns({ from, to, script, clock, log }: BackupOptions): Promise<number> {
  if ((await nodeFileSystem.stat(to)) !== undefined) throw backupExists(to);
  const partial = partialBackup(to);
  removePartialBackup(to);
  const { database } = await openStoredRuns(from, { script, clock, log });
  try {
    // Created first, since SQLite would let other users read the file.
    await (await nodeFileSystem.open(partial, 'create')).close();
    await database.read('copyInto', partial);
    const file = await nodeFileSystem.open(partial, 'write');
    const bytes = await file.size();
    await file.sync();
    await file.close();
    await rename(partial, to);
    await nodeFileSystem.syncFolder(dirname(to));
    return bytes;
  } catch (error) {
    removePartialBackup(to);
    throw error;
  } finally {
    await database.close();
  }
}
