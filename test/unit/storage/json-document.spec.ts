import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { silentLog } from '../../../src-main/base/log.ts';
import { DurableFiles } from '../../../src-main/storage/durable/durable-files.ts';
import type { StoreDeps } from '../../../src-main/storage/durable/store-deps.ts';
import { JsonDocument } from '../../../src-main/storage/documents/json-document.ts';
import { StoreHealth } from '../../../src-main/storage/runs/store-health.ts';
import { FakeClock } from '../../builders/fake-clock.ts';
import { FaultyFileSystem } from '../../builders/faulty-file-system.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const schema = z.strictObject({ version: z.literal(1), names: z.array(z.string()) });
type Names = z.infer<typeof schema>;
const initial: Names = { version: 1, names: [] };

type OpenOptions = { isEditable?: true; isReadOnly?: true };

async function openNames(path: string, { isReadOnly, ...options }: OpenOptions = {}) {
  const fileSystem = new FaultyFileSystem();
  const clock = new FakeClock();
  const health = new StoreHealth(silentLog);
  const notices: string[] = [];
  const deps: StoreDeps = {
    fileSystem,
    files: new DurableFiles(fileSystem, clock),
    health,
    clock,
    log: silentLog,
    report: (notice) => notices.push(notice),
    ...(isReadOnly && { isReadOnly }),
  };
  const document = await JsonDocument.open(deps, { path, label: 'names.json', schema, initial, ...options });
  return { document, fileSystem, health, notices };
}

const add =
  (name: string) =>
  (current: Names): Names => ({ ...current, names: [...current.names, name] });

async function somewhere(): Promise<{ folder: string; path: string }> {
  const folder = await temporaryFolder();
  return { folder, path: join(folder, 'names.json') };
}

/** A document that was written twice, so that it has a previous generation: [a], then [a, b]. */
async function twoGenerations(): Promise<{ folder: string; path: string }> {
  const location = await somewhere();
  const { document } = await openNames(location.path);
  await document.update(add('a'));
  await document.update(add('b'));
  return location;
}

describe('a document', () => {
  it('is the initial value until it is first written, and nothing is written before', async () => {
    const { folder, path } = await somewhere();
    expect((await openNames(path)).document.value).toEqual(initial);
    expect(await readdir(folder)).toEqual([]);
  });

  it('is on the disk when its update resolves', async () => {
    const { path } = await somewhere();
    const { document } = await openNames(path);
    expect(await document.update(add('a'))).toEqual({ version: 1, names: ['a'] });
    expect((await openNames(path)).document.value.names).toEqual(['a']);
  });

  it('loses none of 50 concurrent updates', async () => {
    const { path } = await somewhere();
    const { document } = await openNames(path);
    const names = Array.from({ length: 50 }, (_, n) => `name ${n}`);
    await Promise.all(names.map((name) => document.update(add(name))));
    expect(document.value.names).toEqual(names);
    expect((await openNames(path)).document.value.names).toEqual(names);
  });

  it('hides a change until it is durable', async () => {
    const { path } = await somewhere();
    const { document } = await openNames(path);
    const update = document.update(add('a'));
    expect(document.value.names).toEqual([]);
    await update;
    expect(document.value.names).toEqual(['a']);
  });

  it('keeps the others when one change throws', async () => {
    const { path } = await somewhere();
    const { document, health } = await openNames(path);
    const outcomes = await Promise.allSettled([
      document.update(add('a')),
      document.update(add('b')),
      document.update(() => {
        throw new RangeError('no');
      }),
      document.update(add('c')),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(document.value.names).toEqual(['a', 'b', 'c']);
    expect(health.degraded).toBe(false);
  });

  it('never writes what it could not read again', async () => {
    const { path } = await twoGenerations();
    const { document, health } = await openNames(path);
    const broken = { version: 1, names: [1] } as unknown as Names;
    await expect(document.update(() => broken)).rejects.toThrow('names');
    expect(document.value.names).toEqual(['a', 'b']);
    expect(health.degraded).toBe(false);
  });

  it('keeps its value when the disk is full, and goes on once there is room', async () => {
    const { path } = await twoGenerations();
    const { document, fileSystem, health } = await openNames(path);
    for (const operation of ['open', 'file.write', 'file.sync'] as const) {
      fileSystem.calls.length = 0;
      fileSystem.plan = { fault: 'ENOSPC', at: 1, times: 1, counts: (called) => called === operation };
      await expect(document.update(add('c'))).rejects.toMatchObject({ code: 'disk_full' });
    }
    expect(document.value.names).toEqual(['a', 'b']);
    expect(health.degraded).toBe(false);
    fileSystem.plan = undefined;
    await document.update(add('d'));
    expect((await openNames(path)).document.value.names).toEqual(['a', 'b', 'd']);
  });

  it('keeps its value when the disk fails, degrades the store and refuses further updates', async () => {
    const { path } = await twoGenerations();
    const { document, fileSystem, health } = await openNames(path);
    fileSystem.plan = { fault: 'EIO', at: 1, times: 1, counts: (operation) => operation === 'file.write' };
    fileSystem.calls.length = 0;
    await expect(document.update(add('c'))).rejects.toMatchObject({ code: 'store_degraded' });
    await expect(document.update(add('d'))).rejects.toMatchObject({ code: 'store_degraded' });
    expect(document.value.names).toEqual(['a', 'b']);
    expect(health.cause).toMatchObject({ code: 'EIO' });
    expect((await openNames(path)).document.value.names).toEqual(['a', 'b']);
  });
});

describe('a document that cannot be read', () => {
  it.each([
    ['is empty', ''],
    ['is cut', '{"version":1,"names":["a"'],
    ['is zeros', '\0'.repeat(64)],
    ['is no UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['has the wrong shape', '{"version":1,"names":"a"}', ' (names: Expected a list)'],
    ['has an unknown field', '{"version":1,"names":[],"more":1}', ' (Unknown key "more")'],
  ])('is set aside for the generation before it when it %s', async (_, content, where = '') => {
    const { folder, path } = await twoGenerations();
    await writeFile(path, content);
    const { document, notices } = await openNames(path);
    expect(document.value.names).toEqual(['a']);
    const aside = 'names.json.corrupt-2026-01-01T00-00-00.000Z';
    expect(notices).toEqual([
      `names.json: it is damaged${where}. It was kept as ${aside}, and the version before it is used.`,
    ]);
    expect(await readFile(join(folder, aside))).toEqual(Buffer.from(content));
    expect((await openNames(path)).document.value.names).toEqual(['a']);
  });

  it('stays where it is for one who only reads', async () => {
    const { folder, path } = await twoGenerations();
    await writeFile(path, 'damage');
    const { document, notices } = await openNames(path, { isReadOnly: true });
    expect(document.value.names).toEqual(['a']);
    expect(notices).toEqual(['names.json: it is damaged. The version before it is used.']);
    expect((await readdir(folder)).sort()).toEqual(['names.json', 'names.json.previous']);
  });

  it('keeps its last good generation through the next update', async () => {
    const { path } = await twoGenerations();
    await writeFile(path, 'damage');
    const { document } = await openNames(path);
    await document.update(add('c'));
    await writeFile(path, 'damage again');
    expect((await openNames(path)).document.value.names).toEqual(['a']);
  });

  it('is found under its previous name after a crash between the two renames', async () => {
    const { path } = await twoGenerations();
    await rm(path);
    const { document, notices } = await openNames(path);
    expect(document.value.names).toEqual(['a']);
    expect(notices).toEqual([]);
  });

  it('stops the start when no generation can be read, and stays as it is', async () => {
    const { folder, path } = await twoGenerations();
    await writeFile(path, 'damage');
    await writeFile(`${path}.previous`, 'damage');
    await expect(openNames(path)).rejects.toMatchObject({
      code: 'data_unreadable',
      message: 'Stored data cannot be read: names.json: it is damaged',
    });
    expect((await readdir(folder)).sort()).toEqual(['names.json', 'names.json.previous']);
  });

  it.each([
    ['has no generation before it', 'damage', undefined, 'it is damaged'],
    ['is gone and the generation before it is damaged', undefined, 'damage', 'it is damaged'],
    [
      'is damaged otherwise than the generation before it',
      '{"version":1}',
      'damage',
      'it is damaged (names:',
    ],
  ])('stops the start when it %s', async (_, current, previous, problem) => {
    const { path } = await twoGenerations();
    for (const [file, content] of [
      [path, current],
      [`${path}.previous`, previous],
    ] as const)
      await (content === undefined ? rm(file) : writeFile(file, content));
    await expect(openNames(path)).rejects.toMatchObject({
      code: 'data_unreadable',
      message: expect.stringContaining(`names.json: ${problem}`) as string,
    });
  });

  it.each([
    ['{"version":1,"names":[],"naems":[]}', 'Unknown key "naems" (did you mean "names"?)'],
    ['{"version":1,"names":"a"}', 'names: Expected a list'],
    ['{"names":[]}', 'version: Missing value'],
    ['{"version":1,', 'it is not JSON'],
  ])('that a person edited is not called damaged: %s', async (content, problem) => {
    const { path } = await somewhere();
    await writeFile(path, content);
    await expect(openNames(path, { isEditable: true })).rejects.toMatchObject({
      code: 'data_unreadable',
      message: `Stored data cannot be read: names.json: ${problem}`,
    });
  });

  it('stops the start when a newer program wrote it, whatever the generation before it says', async () => {
    const { folder, path } = await twoGenerations();
    await writeFile(path, '{"version":7,"people":[]}');
    await expect(openNames(path)).rejects.toMatchObject({
      code: 'data_unreadable',
      message: expect.stringContaining('newer Rowbench (version 7, this one knows 1)') as string,
    });
    expect((await readdir(folder)).sort()).toEqual(['names.json', 'names.json.previous']);
  });
});

describe('the checksum of a document', () => {
  it('sets a document aside that is good but not what was written', async () => {
    const { folder, path } = await twoGenerations();
    await writeFile(path, (await readFile(path, 'utf8')).replace('"b"', '"c"'));
    const { document, notices } = await openNames(path);
    expect(document.value.names).toEqual(['a']);
    expect(notices).toEqual([
      expect.stringContaining('names.json: its checksum does not fit. It was kept as'),
    ]);
    expect((await readdir(folder)).filter((name) => name.includes('.corrupt-'))).toHaveLength(1);
  });

  it('tells a broken version from a newer one', async () => {
    const { path } = await twoGenerations();
    await writeFile(path, (await readFile(path, 'utf8')).replace('"version": 1', '"version": 9'));
    const { document, notices } = await openNames(path);
    expect(document.value.names).toEqual(['a']);
    expect(notices).toEqual([expect.stringContaining('it is damaged (version')]);
  });

  it('is no field of the document, wherever a person who edits it leaves it', async () => {
    const { path } = await twoGenerations();
    const { version, names, checksum } = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
    await writeFile(path, JSON.stringify({ version, checksum, names }));
    const edited = await openNames(path, { isEditable: true });
    expect(edited.document.value.names).toEqual(['a', 'b']);
    expect(edited.notices).toEqual([expect.stringContaining('was changed outside Rowbench')]);
    expect((await openNames(path)).document.value.names).toEqual(['a']);
  });
});
