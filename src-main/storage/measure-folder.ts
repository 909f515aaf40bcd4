import { join } from 'node:path';
import { hasCode, type FileSystem } from '../files/file-system.ts';

/** Files measured at once: enough to use the disk, too few to block other users of it. */
const atOnce = 16;

/** Bytes of all files in the folder. Files that disappear meanwhile and targets of links do not count. */
export async function measureFolder(fileSystem: FileSystem, folder: string): Promise<number> {
  let bytes = 0;
  const waiting = [(await fileSystem.realPath(folder)) ?? folder];
  const look = async (path: string): Promise<void> => {
    if ((await fileSystem.realPath(path)) !== path) return;
    const found = await fileSystem.stat(path);
    if (found?.isFile === true) bytes += found.size;
    if (found?.isFolder === true) waiting.push(...(await namesIn(fileSystem, path)));
  };
  while (waiting.length > 0) await Promise.all(waiting.splice(0, atOnce).map(look));
  return bytes;
}

async function namesIn(fileSystem: FileSystem, folder: string): Promise<string[]> {
  try {
    return (await fileSystem.list(folder)).map((name) => join(folder, name));
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}
