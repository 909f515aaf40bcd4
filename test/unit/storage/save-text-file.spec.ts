// A save leaves the old text or the new one, whatever fails, and nothing beside the file.
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src-main/base/system-clock.ts';
import type { FileSystem } from '../../../src-main/files/file-system.ts';
import { nodeFileSystem } from '../../../src-main/files/node-file-system.ts';
import { textHash } from '../../../src-main/files/text-file.ts';
import { DurableFiles } from '../../../src-main/storage/durable/durable-files.ts';
import {
  clearUnsaved,
  saveTextFile,
  type SaveResult,
} from '../../../src-main/storage/documents/save-text-file.ts';
import { FaultyFileSystem, type Fault } from '../../builders/faulty-file-system.ts';
import { PowerCutFileSystem, survivals } from '../../builders/power-cut-file-system.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const [before, after] = ['old\n'.repeat(400), 'new\n'.repeat(500)];

const save = (fileSystem: FileSystem, path: string, base: string | undefined = before): Promise<SaveResult> =>
  saveTextFile(
    { fileSystem, files: new DurableFiles(fileSystem, systemClock) },
    { path, text: after, expected: base === undefined ? undefined : textHash(base) },
  );

describe('a save', () => {
  const faults: Fault[] = ['ENOSPC', 'EIO', 'EROFS', 'EMFILE'];
  it.each(faults)('leaves the old text or the new one after %s at any call', async (fault) => {
    for (let at = 1; at < 40; at += 1) {
      const folder = await temporaryFolder();
      const path = join(folder, 'leads.workflow.yaml');
      await writeFile(path, before);
      const disk = new FaultyFileSystem({ fault, at, times: 1 });
      const result = await save(disk, path).catch((error: unknown) => error as Error);
      const text = await readFile(path, 'utf8');
      expect([before, after]).toContain(text);
      if (!(result instanceof Error)) expect([result, text]).toEqual([{ kind: 'saved' }, after]);
      expect(await readdir(folder)).toHaveLength(1);
      if (disk.calls.length < at) return;
    }
    expect.unreachable('a save ends within 40 calls');
  });

  it('leaves the old text or the new one after a power cut at any moment', async () => {
    const disk = new PowerCutFileSystem();
    await disk.makeFolder('/flows');
    const file = await disk.open('/flows/leads.workflow.yaml', 'create');
    await file.write(Buffer.from(before), 0);
    await file.sync();
    await disk.syncFolder('/flows');
    await disk.syncFolder('/');
    const cuts: PowerCutFileSystem[] = [];
    disk.beforeChange = () => {
      for (const data of survivals)
        for (const keeps of [true, false]) cuts.push(disk.afterCut({ entries: () => keeps, data }));
    };
    expect(await save(disk, '/flows/leads.workflow.yaml')).toEqual({ kind: 'saved' });
    expect(cuts.length).toBeGreaterThan(50);
    for (const cut of cuts) {
      await clearUnsaved(cut, '/flows');
      expect(await cut.list('/flows')).toEqual(['leads.workflow.yaml']);
      expect([before, after]).toContain(await textOf(cut, '/flows/leads.workflow.yaml'));
    }
  });

  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
    'writes into the file where its folder takes no new one',
    async () => {
      const folder = await temporaryFolder();
      const path = join(folder, 'leads.workflow.yaml');
      await writeFile(path, before);
      await chmod(folder, 0o500);
      expect(await save(nodeFileSystem, path)).toEqual({ kind: 'saved' });
      await chmod(folder, 0o700);
      expect(await readFile(path, 'utf8')).toBe(after);
    },
  );

  it('in place brings the old text back where the new one does not fit', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'leads.workflow.yaml');
    await writeFile(path, before);
    const denied = new FaultyFileSystem({
      fault: 'EACCES',
      at: 1,
      times: 1,
      counts: (operation, named) => operation === 'open' && named !== path,
    });
    const full = new FaultyFileSystem(
      { fault: 'ENOSPC', at: 1, times: 1, counts: (operation) => operation === 'file.write' },
      denied,
    );
    await expect(save(full, path)).rejects.toMatchObject({ code: 'disk_full' });
    expect(await readFile(path, 'utf8')).toBe(before);
  });

  it('of a new file overwrites none, and one of a file that is gone makes none', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'leads.tests.yaml');
    expect(await save(nodeFileSystem, path)).toEqual({ kind: 'changed' });
    await writeFile(path, 'theirs');
    const created = await saveTextFile(
      { fileSystem: nodeFileSystem, files: new DurableFiles(nodeFileSystem, systemClock) },
      { path, text: after, expected: undefined },
    );
    expect(created).toEqual({ kind: 'changed', text: 'theirs' });
    expect(await readFile(path, 'utf8')).toBe('theirs');
  });

  it('hands out a text that another program wrote at the same moment', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'leads.workflow.yaml');
    await writeFile(path, before);
    const late: FileSystem = {
      ...nodeFileSystem,
      rename: async (from, to) => {
        await writeFile(to, 'theirs');
        await nodeFileSystem.rename(from, to);
      },
    };
    expect(await save(late, path)).toEqual({ kind: 'saved', replaced: 'theirs' });
    expect(await readFile(path, 'utf8')).toBe(after);
  });
});

async function textOf(disk: FileSystem, path: string): Promise<string> {
  const file = await disk.open(path, 'read');
  const bytes = Buffer.alloc(await file.size());
  await file.read(bytes, 0);
  return bytes.toString();
}
