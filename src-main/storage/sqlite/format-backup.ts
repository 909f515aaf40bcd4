// A copy of `rowbench.db` in its earlier format: the version that wrote it cannot read a newer one. Who calls: the writing
// storage thread, before it brings the tables up to date.
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { noRoomForFormatCopy } from '../../domain/store-errors.ts';
import type { Database } from './open-database.ts';
import { formatNumber, formatNumberOf, migrate } from './schema.ts';

/** Room that the copy and the changed tables need, of the file's size. */
const neededRoom = 1.2;

/** Copies a file of an earlier format, then migrates it. Throws `disk_full`. */
export function copyAndMigrate(database: Database, path: string): void {
  const found = formatNumberOf(database);
  if (found > 0 && found < formatNumber) copyFormat(database, path, found);
  migrate(database);
}

function copyFormat(database: Database, path: string, format: number): void {
  const to = `${path}.format-${format}`;
  if (existsSync(to)) return;
  const { bavail, bsize } = statfsSync(dirname(path));
  const needed = statSync(path).size * neededRoom;
  if (bavail * bsize < needed) throw noRoomForFormatCopy(bavail * bsize, needed);
  const partial = `${to}.partial`;
  for (const file of [partial, `${partial}-journal`]) rmSync(file, { force: true });
  // Created first, since SQLite would let other users read the file.
  closeSync(openSync(partial, 'wx', 0o600));
  database.prepare('vacuum into ?').run(partial);
  const copy = openSync(partial, 'r+');
  fsyncSync(copy);
  closeSync(copy);
  renameSync(partial, to);
}
