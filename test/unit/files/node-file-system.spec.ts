import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { nodeFileSystem } from '../../../src-main/files/node-file-system.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

let folder: string;

beforeEach(async () => {
  folder = await temporaryFolder();
});

describe('remove', () => {
  it('takes a folder with all that is in it', async () => {
    await mkdir(join(folder, 'run/inside/deeper'), { recursive: true });
    for (const name of ['rows', 'inside/one', 'inside/deeper/two'])
      await writeFile(join(folder, 'run', name), 'x');
    await nodeFileSystem.remove(join(folder, 'run'));
    expect(await readdir(folder)).toEqual([]);
  });

  it('takes a file', async () => {
    await writeFile(join(folder, 'file'), 'x');
    await nodeFileSystem.remove(join(folder, 'file'));
    expect(await readdir(folder)).toEqual([]);
  });

  it('accepts that there is nothing of that name', async () => {
    await expect(nodeFileSystem.remove(join(folder, 'none'))).resolves.toBeUndefined();
    await expect(nodeFileSystem.remove(join(folder, 'none/below'))).resolves.toBeUndefined();
  });

  it.skipIf(process.platform === 'win32')('takes a link, and never what it leads to', async () => {
    await mkdir(join(folder, 'kept'));
    await writeFile(join(folder, 'kept/file'), 'x');
    await mkdir(join(folder, 'run'));
    await symlink(join(folder, 'kept'), join(folder, 'run/link'));
    await symlink(join(folder, 'kept'), join(folder, 'link'));
    await nodeFileSystem.remove(join(folder, 'run'));
    await nodeFileSystem.remove(join(folder, 'link'));
    expect(await readdir(folder)).toEqual(['kept']);
    expect(await readFile(join(folder, 'kept/file'), 'utf8')).toBe('x');
  });
});
