// A copy of documents and workflow files, which the user made and cannot have again. It is taken before a version of
// Rowbench other than the last one touches the folder: a newer version may change the format, and an older one cannot
// read that. Who calls: `data-folder.ts`, with the lock held and before anything is read. Runs stay out of it:
// `rowbench.db` may be huge, and `rowbench backup` copies it.
import { dirname, join } from 'node:path';
import { isoTime } from '../../base/clock.ts';
import { readBytes, readWhole, release } from '../../files/read-bytes.ts';
import type { StoreDeps } from '../durable/store-deps.ts';
import { writeAll } from '../durable/durable-files.ts';
import { hasCode } from '../../files/file-system.ts';

const stampName = 'version';
const folderName = 'backups';
const document = /^(?:(?:settings|keys|workflows|secrets|hosted)\.json(?:\.previous)?|secrets\.key)$/;
const workflowFolder = 'workflows';
/** Older ones are removed. */
const maxBackups = 3;
const pieceBytes = 1_000_000;

/** Names of files that tools keep beside the user's files: large, and made anew at any time. */
const ofTools = /^(?:\..*|node_modules)$/;

type BackupDeps = Pick<StoreDeps, 'fileSystem' | 'files' | 'clock' | 'report'>;

/** Names the folder's version; where another one had it before, its documents and workflow files are copied first. */
export async function backUpBefore(version: string, folder: string, deps: BackupDeps): Promise<void> {
  const { fileSystem, files } = deps;
  const stamp = join(folder, stampName);
  const last = (await readWhole(fileSystem, stamp))?.toString('utf8').trim();
  if (last === version) return;
  const names = (await fileSystem.list(folder)).filter((name) => document.test(name));
  if (names.length > 0) {
    const staging = await stageBackup(folder, [...names, workflowFolder], deps);
    await finishBackup(staging, `from ${(last ?? 'unknown').replace(/[^\w.-]/g, '-').slice(0, 40)}`, deps);
  }
  await files.replace(stamp, Buffer.from(`${version}\n`), { keepPrevious: false });
}

async function stageBackup(folder: string, names: readonly string[], deps: BackupDeps): Promise<string> {
  const staging = join(folder, folderName, '.draft');
  // Left by a start that was cut off in the middle.
  await deps.fileSystem.remove(staging);
  try {
    await deps.files.makeFolder(staging);
    for (const name of names) await copy(deps, join(folder, name), join(staging, name));
    await deps.fileSystem.syncFolder(staging);
    return staging;
  } catch (error) {
    // It would take the room that the next try needs; what failed here is the failure to tell.
    await deps.fileSystem.remove(staging).catch(() => undefined);
    throw error;
  }
}

async function finishBackup(
  staging: string,
  name: string,
  { fileSystem, files, clock }: BackupDeps,
): Promise<void> {
  const backups = dirname(staging);
  const made = `${isoTime(clock).replaceAll(':', '.')} ${name}`;
  await files.rename(staging, join(backups, made));
  await fileSystem.syncFolder(backups);
  // By the names' times; the one just made stays, wherever a clock that was set back puts it.
  const others = (await fileSystem.list(backups)).filter((each) => each !== made).sort();
  const old = others.slice(0, Math.max(0, others.length + 1 - maxBackups));
  for (const each of old) await fileSystem.remove(join(backups, each));
}

/** A file, or a folder with all that is in it. What a link leads to is somewhere else and stays there. */
async function copy(deps: BackupDeps, from: string, to: string): Promise<void> {
  const { fileSystem, files } = deps;
  const found = await fileSystem.stat(from);
  if (found === undefined || (await isLink(deps, from))) return;
  if (found.isFile) await copyFile(deps, from, to);
  if (!found.isFolder) return;
  await files.makeFolder(to);
  for (const name of await fileSystem.list(from))
    if (!ofTools.test(name)) await copyIfThere(deps, join(from, name), join(to, name));
  await fileSystem.syncFolder(to);
}

/** Below the workflows lie files of other programs and people: one that cannot be read must not stop a start. */
async function copyIfThere(deps: BackupDeps, from: string, to: string): Promise<void> {
  try {
    await copy(deps, from, to);
  } catch (error) {
    if (!hasCode(error, 'EACCES', 'EPERM', 'ENOENT', 'ELOOP')) throw error;
    await deps.fileSystem.remove(to);
    deps.report(`${from} could not be read and is missing from the backup of this version.`);
  }
}

async function isLink({ fileSystem }: BackupDeps, path: string): Promise<boolean> {
  const parent = await fileSystem.realPath(dirname(path));
  const real = await fileSystem.realPath(path);
  return parent === undefined || real === undefined || dirname(real) !== parent;
}

async function copyFile({ fileSystem }: BackupDeps, from: string, to: string): Promise<void> {
  const source = await fileSystem.open(from, 'read');
  try {
    const target = await fileSystem.open(to, 'create');
    try {
      const piece = Buffer.allocUnsafe(Math.min(pieceBytes, Math.max(1, await source.size())));
      let position = 0;
      for (let taken = await readBytes(source, piece, 0); taken > 0;) {
        await writeAll(target, piece.subarray(0, taken), position);
        position += taken;
        taken = await readBytes(source, piece, position);
      }
      await target.sync();
    } finally {
      await target.close();
    }
  } finally {
    await release(source);
  }
}
