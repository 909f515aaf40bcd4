import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dataUnreadable } from '../../../src-main/domain/store-errors.ts';
import { clearTemporaries, DurableFiles, writeAll } from '../../../src-main/storage/durable/durable-files.ts';
import { asUnreadable, orUnreadable, readBytes, readWhole } from '../../../src-main/files/read-bytes.ts';
import type { OpenFile } from '../../../src-main/files/file-system.ts';
import { FakeClock } from '../../builders/fake-clock.ts';
import { FaultyFileSystem, type Fault, type Operation } from '../../builders/faulty-file-system.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

async function setUp() {
  const folder = await temporaryFolder();
  const disk = new FaultyFileSystem();
  const clock = new FakeClock();
  const fail = (fault: Fault, operation: Operation, times = 1): void => {
    disk.calls.length = 0;
    disk.plan = { fault, at: 1, times, counts: (called) => called === operation };
  };
  const operations = (): string[] => disk.calls.map(({ operation }) => operation);
  return {
    folder,
    path: join(folder, 'a.json'),
    disk,
    clock,
    files: new DurableFiles(disk, clock),
    fail,
    operations,
  };
}

const text = (path: string): Promise<string> => readFile(path, 'utf8');
const withCode = (code: string) => expect.objectContaining({ code }) as unknown;

describe('a file that is replaced', () => {
  it('is new, or has its content before beside it where that is kept', async () => {
    const { folder, path, files, operations } = await setUp();
    await files.replace(path, Buffer.from('one'), { keepPrevious: true });
    expect(operations()).toEqual([
      'open',
      'file.write',
      'file.sync',
      'file.close',
      'rename',
      'rename',
      'syncFolder',
    ]);
    await files.replace(path, Buffer.from('two'), { keepPrevious: false });
    expect(await readdir(folder)).toEqual(['a.json']);
    await files.replace(path, Buffer.from('three'), { keepPrevious: true });
    expect([await text(path), await text(`${path}.previous`)]).toEqual(['three', 'two']);
  });

  it.each(['ENOSPC', 'EDQUOT'] as const)(
    'is refused as `disk_full`, and stays as it was, when the disk says %s',
    async (code) => {
      const { folder, path, files, fail } = await setUp();
      await writeFile(path, 'old');
      for (const [fault, expectedCode] of [
        [code, 'disk_full'],
        ['EIO', 'EIO'],
      ] as const) {
        fail(fault, 'file.write');
        const replaced = files.replace(path, Buffer.from('new'), { keepPrevious: true });
        await expect(replaced).rejects.toEqual(withCode(expectedCode));
      }
      expect([await readdir(folder), await text(path)]).toEqual([['a.json'], 'old']);
    },
  );

  it.each(['file.sync', 'file.close', 'rename', 'syncFolder'] as const)(
    'leaves no litter and is not said to be there when %s fails',
    async (operation) => {
      const { folder, path, files, fail } = await setUp();
      fail('EIO', operation);
      const replaced = files.replace(path, Buffer.from('new'), { keepPrevious: true });
      await expect(replaced).rejects.toEqual(withCode('EIO'));
      expect((await readdir(folder)).filter((name) => name !== 'a.json')).toEqual([]);
    },
  );

  it('leaves litter only when its process ends, which the next one removes', async () => {
    const { folder, disk } = await setUp();
    for (const name of ['a.json', 'a.json.0197.tmp', 'tmp', 'b.tmp.json'])
      await writeFile(join(folder, name), '');
    await clearTemporaries(disk, folder);
    expect((await readdir(folder)).sort()).toEqual(['a.json', 'b.tmp.json', 'tmp']);
  });
});

it('a file that is created must be new, and is left alone when it is not', async () => {
  const { path, files } = await setUp();
  await files.create(path, Buffer.from('mine'));
  await expect(files.create(path, Buffer.from('yours'))).rejects.toEqual(withCode('EEXIST'));
  expect(await text(path)).toBe('mine');
});

it('a file that could not be created whole is not there', async () => {
  const { folder, path, files, fail } = await setUp();
  for (const operation of ['file.write', 'file.sync', 'file.close'] as const) {
    fail('EIO', operation);
    await expect(files.create(path, Buffer.from('half'))).rejects.toEqual(withCode('EIO'));
    expect(await readdir(folder)).toEqual([]);
  }
});

describe('a rename', () => {
  it.each(['EPERM', 'EBUSY', 'EACCES'] as const)(
    'is tried again a tenth of a second after %s, ten times',
    async (code) => {
      const { path, files, fail, clock, operations } = await setUp();
      await writeFile(path, '');
      fail(code, 'rename', 11);
      const renamed = files.rename(path, `${path}.new`).then(
        () => 'renamed',
        (error: { code: string }) => error.code,
      );
      for (let attempt = 1; attempt <= 10; attempt += 1) {
        await expect.poll(() => clock.pending).toBe(1);
        clock.advance(99);
        expect(clock.pending).toBe(1);
        clock.advance(1);
      }
      expect(await renamed).toBe(code);
      expect(operations()).toHaveLength(11);
      fail(code, 'rename');
      const second = files.rename(path, `${path}.new`);
      await expect.poll(() => clock.pending).toBe(1);
      clock.advance(100);
      await second;
    },
  );

  it('is not tried again for any other reason', async () => {
    const { path, files, operations } = await setUp();
    await expect(files.rename(path, `${path}.new`)).rejects.toEqual(withCode('ENOENT'));
    expect(operations()).toEqual(['rename']);
  });
});

describe('a folder', () => {
  it('is made with those above it, each synced into its own', async () => {
    const { folder, files, disk } = await setUp();
    const path = join(folder, 'a', 'b');
    expect(await files.makeFolder(path)).toBe(true);
    const synced = disk.calls.filter(({ operation }) => operation === 'syncFolder').map((call) => call.path);
    expect(synced).toEqual([folder, join(folder, 'a')]);
    disk.calls.length = 0;
    expect(await files.makeFolder(path)).toBe(false);
    expect(disk.calls.map(({ operation }) => operation)).toEqual(['stat']);
  });

  it('may be created by another process meanwhile, but a failure is reported', async () => {
    const { folder, files, disk, fail } = await setUp();
    const stat = disk.stat.bind(disk);
    const path = join(folder, 'a');
    disk.stat = async (requested) => {
      const found = await stat(requested);
      if (requested === path) await mkdir(path);
      return found;
    };
    expect(await files.makeFolder(path)).toBe(false);
    fail('EIO', 'makeFolder');
    await expect(files.makeFolder(join(folder, 'b'))).rejects.toEqual(withCode('EIO'));
  });
});

/** A file of which each call takes or gives so many bytes. */
function slowFile(counts: readonly number[]) {
  const written: string[] = [];
  const positions: number[] = [];
  let call = 0;
  const next = (most: number): number => Math.min(most, counts[(call += 1) - 1] ?? most);
  const file = {
    write: async (bytes: Uint8Array, position: number) => {
      const taken = next(bytes.length);
      written.push(Buffer.from(bytes.subarray(0, taken)).toString());
      positions.push(position);
      return taken;
    },
    read: async (into: Uint8Array, position: number) => {
      const bytes = Buffer.from('0123456789').subarray(position, position + next(into.length));
      into.set(bytes);
      return bytes.length;
    },
  } as unknown as OpenFile;
  return { file, written, positions, calls: () => call };
}

describe('bytes', () => {
  it('are written to the last, however few are taken at once', async () => {
    const { file, written, positions, calls } = slowFile([1, 0, 3, 2, 0]);
    await writeAll(file, Buffer.from('abcdefg'), 100);
    expect(written).toEqual(['a', '', 'bcd', 'ef', '', 'g']);
    expect([positions, calls()]).toEqual([[100, 101, 101, 104, 106, 106], 6]);
  });

  it('are given up once ten writes in a row took none', async () => {
    const patient = slowFile([...Array<number>(9).fill(0), 1, ...Array<number>(9).fill(0)]);
    await writeAll(patient.file, Buffer.from('ab'), 0);
    expect(patient.written.join('')).toBe('ab');
    const stuck = slowFile(Array<number>(30).fill(0));
    await expect(writeAll(stuck.file, Buffer.from('ab'), 0)).rejects.toThrow('accepts no more bytes');
    expect(stuck.calls()).toBe(10);
    const idle = slowFile([]);
    await writeAll(idle.file, Buffer.alloc(0), 5);
    expect(idle.calls()).toBe(0);
  });

  it('are read to the end of what is wanted or there', async () => {
    const some = slowFile([1, 2]);
    const into = Buffer.alloc(5);
    expect([await readBytes(some.file, into, 2), into.toString(), some.calls()]).toEqual([5, '23456', 3]);
    expect(await readBytes(slowFile([]).file, Buffer.alloc(5), 8)).toBe(2);
  });

  it('are read whole or, where there are none, not at all', async () => {
    const { path, disk, fail, operations } = await setUp();
    expect(await readWhole(disk, path)).toBeUndefined();
    await writeFile(path, 'abc');
    disk.calls.length = 0;
    expect((await readWhole(disk, path))?.toString()).toBe('abc');
    expect(operations()).toEqual(['open', 'file.size', 'file.read', 'file.close']);
    fail('EIO', 'file.close');
    expect((await readWhole(disk, path))?.toString()).toBe('abc');
    fail('EIO', 'open');
    await expect(readWhole(disk, path)).rejects.toEqual(withCode('EIO'));
  });
});

it('a failure to read is reported without the path, and one that is understood as it is', async () => {
  const failing = (error: unknown) => orUnreadable('keys.json', () => Promise.reject(error as Error));
  await expect(failing(new Error("EIO: i/o error, read '/home/ada'"))).rejects.toMatchObject({
    code: 'data_unreadable',
    message: 'Stored data cannot be read: keys.json: EIO: i/o error',
  });
  await expect(failing('gone')).rejects.toMatchObject({
    message: 'Stored data cannot be read: keys.json: gone',
  });
  const known = dataUnreadable('runs', undefined);
  expect(asUnreadable('keys.json', known)).toBe(known);
  expect(await orUnreadable('keys.json', async () => 7)).toBe(7);
});
