import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WorkflowFiles } from '../../../src-main/storage/documents/workflow-files.ts';
import { FaultyFileSystem } from '../../builders/faulty-file-system.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

describe('workflow files', () => {
  it('are found in the folders and among the named files, each once, by path', async () => {
    const folder = await temporaryFolder();
    for (const name of [
      'b.workflow.yaml',
      'a.workflow.yml',
      'c.workflow.json',
      'rows.json',
      'notes.yaml',
      'one.yaml',
    ]) {
      await writeFile(join(folder, name), 'x');
    }
    await mkdir(join(folder, 'd.workflow.yaml'));
    const files = new WorkflowFiles({
      folders: [folder, join(folder, 'nowhere')],
      files: [join(folder, 'one.yaml'), join(folder, 'c.workflow.json'), join(folder, 'gone.yaml')],
    });
    const found = await files.scan();
    expect(found.map(({ path }) => path)).toEqual(
      ['a.workflow.yml', 'b.workflow.yaml', 'c.workflow.json', 'one.yaml'].map((name) => join(folder, name)),
    );
  });

  it('differ by their owner: own, named, or imported into a folder of its own', async () => {
    const own = join(await temporaryFolder(), 'workflows');
    const elsewhere = await temporaryFolder();
    for (const folder of ['leads', 'not an id', '.import-x'])
      await mkdir(join(own, folder), { recursive: true });
    const at = (...names: string[]): string => join(own, ...names);
    for (const path of [
      at('mine.workflow.yaml'),
      at('leads', 'score.workflow.yaml'),
      at('not an id', 'x.workflow.yaml'),
      at('.import-x', 'x.workflow.yaml'),
      join(elsewhere, 'other.workflow.yaml'),
    ]) {
      await writeFile(path, 'x');
    }
    // Naming an imported file does not make it the user's own.
    const files = new WorkflowFiles({
      own,
      folders: [elsewhere, at('leads')],
      files: [at('leads', 'score.workflow.yaml')],
    });
    expect(new Map((await files.scan()).map(({ path, location }) => [path, location]))).toEqual(
      new Map<string, unknown>([
        [at('mine.workflow.yaml'), 'own'],
        [at('leads', 'score.workflow.yaml'), { importedAs: 'leads' }],
        [join(elsewhere, 'other.workflow.yaml'), 'named'],
      ]),
    );
  });

  it('are missed aloud only where a file of another name looks like one', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'docker-compose.yaml'), 'services: {}\n');
    await writeFile(join(folder, 'leads.yaml'), '# mine\nrowbench: 1\n');
    await writeFile(join(folder, 'leads.tests.yaml'), 'rowbench: 1\n');
    const files = new WorkflowFiles({ folders: [folder, join(folder, 'nowhere')] });
    const problems = [
      `${join(folder, 'leads.yaml')} is not served: workflow files are named *.workflow.yaml, .yml or .json`,
      `no workflows are read from ${join(folder, 'nowhere')}: there is no such folder`,
    ];
    expect(await files.findOverlooked()).toEqual(problems);
    expect(await files.findOverlooked()).toEqual(problems);
  });

  it('have a stamp that changes with the file', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'a.workflow.yaml');
    const files = new WorkflowFiles({ folders: [folder] });
    expect(await files.stamp(path)).toBeUndefined();
    await writeFile(path, 'abc');
    await utimes(path, 1, 1);
    expect(await files.stamp(path)).toEqual({ path, size: 3, mtimeMs: 1000 });
    await utimes(path, 2, 2);
    expect(await files.stamp(path)).toEqual({ path, size: 3, mtimeMs: 2000 });
  });

  it('are read as they are, a byte order mark included', async () => {
    const path = join(await temporaryFolder(), 'a.workflow.yaml');
    await writeFile(path, '\ufeffname: é\r\n');
    expect(await new WorkflowFiles({ folders: [] }).read(path)).toBe('\ufeffname: é\r\n');
  });

  it.each([
    ['over 5 MB', Buffer.alloc(5_000_001, 0x20), 'larger than 5 MB'],
    ['not UTF-8', Buffer.from([0xff]), 'not UTF-8'],
    ['not there', undefined, 'ENOENT'],
  ])('are refused when %s', async (_, content, reason) => {
    const path = join(await temporaryFolder(), 'a.workflow.yaml');
    if (content !== undefined) await writeFile(path, content);
    await expect(new WorkflowFiles({ folders: [] }).read(path)).rejects.toMatchObject({
      code: 'data_unreadable',
      message: expect.stringContaining(reason) as string,
    });
  });
});

describe('creating a workflow file', () => {
  it('writes it, with its folder, and never over another', async () => {
    const folder = join(await temporaryFolder(), 'workflows');
    const files = new WorkflowFiles({ folders: [folder] });
    const path = await files.create(folder, 'sample.workflow.yaml', 'rowbench: 1');
    expect(path).toBe(join(folder, 'sample.workflow.yaml'));
    await expect(files.create(folder, 'sample.workflow.yaml', 'other')).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('it is there already') as string,
    });
    expect(await readFile(path, 'utf8')).toBe('rowbench: 1');
  });

  it.each(['../x.workflow.yaml', 'x.yaml', '.workflow.yaml', 'a/b.workflow.yaml', 'a\0.workflow.yaml'])(
    'refuses the name %j',
    async (name) => {
      const files = new WorkflowFiles({ folders: [] });
      await expect(files.create(await temporaryFolder(), name, '')).rejects.toMatchObject({
        code: 'invalid_input',
      });
    },
  );

  it('leaves nothing behind when the disk is full', async () => {
    const folder = await temporaryFolder();
    const fileSystem = new FaultyFileSystem({
      fault: 'ENOSPC',
      at: 1,
      times: Infinity,
      counts: (operation) => operation === 'file.write',
    });
    const files = new WorkflowFiles({ folders: [folder], fileSystem });
    await expect(files.create(folder, 'a.workflow.yaml', 'text')).rejects.toMatchObject({
      code: 'invalid_input',
    });
    expect(await files.scan()).toEqual([]);
  });
});
