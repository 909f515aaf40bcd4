import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../builders/temporary-folder.ts';
import { openFolder } from './storage-fixture.ts';
import { hashOf } from './story.ts';

const text = '\ufeffname: Grüße 🎉\r\n';
const hash = hashOf(text);

async function openSnapshots() {
  const path = await temporaryFolder();
  const { snapshots } = await openFolder(path);
  return {
    snapshots,
    folder: join(path, 'snapshots'),
    file: join(path, 'snapshots', `${hash}.workflow.yaml`),
  };
}

describe('a snapshot', () => {
  it('comes back as it was put, to the byte', async () => {
    const { snapshots } = await openSnapshots();
    await snapshots.put(hash, text, 'workflow');
    await snapshots.put(hash, text, 'workflow');
    expect(await snapshots.get(hash)).toBe(text);
  });

  it('is undefined if it was never put, or its name is no hash', async () => {
    const { snapshots } = await openSnapshots();
    expect(await snapshots.get(hash)).toBeUndefined();
    expect(await snapshots.get('../settings')).toBeUndefined();
  });

  it('is put only under its own hash', async () => {
    const { snapshots } = await openSnapshots();
    await expect(snapshots.put(hashOf('other'), text, 'workflow')).rejects.toThrow('its own hash');
  });

  it('is never returned damaged, and is whole again once it is put again', async () => {
    const { snapshots, file } = await openSnapshots();
    await writeFile(file, 'other');
    await expect(snapshots.get(hash)).rejects.toMatchObject({ code: 'data_unreadable' });
    await snapshots.put(hash, text, 'workflow');
    expect(await snapshots.get(hash)).toBe(text);
  });

  it('goes when it is not kept, and stays when it is put meanwhile', async () => {
    const { snapshots, folder } = await openSnapshots();
    for (const kept of [text, 'one', 'two']) await snapshots.put(hashOf(kept), kept, 'workflow');
    const tidied = snapshots.keepOnly(new Set([hashOf('one')]));
    const put = snapshots.put(hash, text, 'workflow');
    await Promise.all([tidied, put]);
    expect((await readdir(folder)).sort()).toEqual(
      [hash, hashOf('one')].sort().map((kept) => `${kept}.workflow.yaml`),
    );
  });

  it('is named by what it is, and found under the name that tables had before', async () => {
    const { snapshots, folder, file } = await openSnapshots();
    await writeFile(file, text);
    expect(await snapshots.get(hash)).toBe(text);
    await snapshots.put(hash, text, 'table');
    expect((await readdir(folder)).sort()).toEqual([`${hash}.table.txt`, `${hash}.workflow.yaml`]);
    await writeFile(file, 'damaged');
    expect(await snapshots.get(hash)).toBe(text);
    await snapshots.keepOnly(new Set([hash]));
    expect(await readdir(folder)).toHaveLength(2);
    await snapshots.keepOnly(new Set());
    expect(await readdir(folder)).toEqual([]);
    expect(await snapshots.get(hash)).toBeUndefined();
    await snapshots.put(hash, text, 'table');
    expect(await snapshots.get(hash)).toBe(text);
  });
});
