import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TableFiles } from '../../../src-main/files/table-files.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

async function folderWith(names: readonly string[]) {
  const root = await temporaryFolder();
  const folder = join(root, 'flows');
  await mkdir(join(folder, 'data'), { recursive: true });
  for (const name of names) await writeFile(join(folder, name), 'code\n1\n');
  const files = new TableFiles();
  const workflow = join(folder, 'a.workflow.yaml');
  const read = async (path: string) => {
    const pieces: Uint8Array[] = [];
    for await (const piece of (await files.open(await files.stamp(workflow, path))).bytes) pieces.push(piece);
    return Buffer.concat(pieces).toString();
  };
  return { root, folder, read };
}

describe('a table beside a workflow', () => {
  it('is read from its folder and from folders below', async () => {
    const { folder, read } = await folderWith(['t.csv', 'data/t.csv']);
    await symlink(join(folder, 'data/t.csv'), join(folder, 'inside.csv'));
    expect([await read('t.csv'), await read('data/t.csv'), await read('inside.csv')]).toEqual(
      Array.from({ length: 3 }, () => 'code\n1\n'),
    );
  });

  it('is never read from elsewhere, whatever links there are', async () => {
    const { root, folder, read } = await folderWith([]);
    await mkdir(join(root, 'flows-secret'));
    await writeFile(join(root, 'flows-secret/t.csv'), 'code\n1\n');
    await symlink(join(root, 'flows-secret/t.csv'), join(folder, 'link.csv'));
    await symlink(join(root, 'flows-secret'), join(folder, 'linked'));
    const outside = 'cannot be read: it lies outside the folder of the workflow';
    for (const path of [
      'link.csv',
      'linked/t.csv',
      '../flows-secret/t.csv',
      join(root, 'flows-secret/t.csv'),
    ])
      await expect(read(path)).rejects.toThrow(`the table ${path} ${outside}`);
  });

  it('is refused with the reason when it cannot be used', async () => {
    const { folder, read } = await folderWith(['large.csv']);
    await truncate(join(folder, 'large.csv'), 10_000_001);
    await expect(read('gone.csv')).rejects.toThrow(
      'the table gone.csv cannot be read: there is no such file',
    );
    await expect(read('data')).rejects.toThrow('it is no file');
    await expect(read('large.csv')).rejects.toThrow('it is larger than 10 MB');
  });
});
