// Every file of a disk, and the disk again with one of them changed.
import { join } from 'node:path';
import type { FileSystem } from '../../../src-main/files/file-system.ts';
import { readWhole } from '../../../src-main/files/read-bytes.ts';
import type { PowerCutFileSystem } from '../power-cut-file-system.ts';

export type StoredFile = { readonly path: string; readonly bytes: Buffer };

export async function filesOf(disk: FileSystem, folder: string): Promise<readonly StoredFile[]> {
  const found: StoredFile[] = [];
  for (const name of await disk.list(folder)) {
    const path = join(folder, name);
    if ((await disk.stat(path))?.isFolder === true) found.push(...(await filesOf(disk, path)));
    else found.push({ path, bytes: (await readWhole(disk, path)) ?? Buffer.alloc(0) });
  }
  return found.sort((one, other) => (one.path < other.path ? -1 : 1));
}

export async function diskWith(disk: PowerCutFileSystem, path: string, bytes: Uint8Array) {
  const copy = disk.afterCut({ entries: () => true, data: 'all' });
  const file = await copy.open(path, 'update');
  await file.truncate(0);
  await file.write(bytes, 0);
  return copy;
}
