import { mkdir, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { deferred } from '../../../../src-main/base/deferred.ts';
import { silentLog } from '../../../../src-main/base/log.ts';
import { WorkflowService } from '../../../../src-main/services/workflows/workflow-service.ts';
import type { FileSystem } from '../../../../src-main/files/file-system.ts';
import { nodeFileSystem } from '../../../../src-main/files/node-file-system.ts';
import { WorkflowFiles } from '../../../../src-main/storage/documents/workflow-files.ts';
import { temporaryFolder } from '../../../builders/temporary-folder.ts';

const flow = (id: string): string => `rowbench: 1
id: ${id}
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: { n: "=row.n" } }
`;

it("an import never takes the place of the user's own workflow, whatever their paths are", async () => {
  const own = join(await temporaryFolder(), 'workflows');
  await mkdir(join(own, 'a'), { recursive: true });
  await writeFile(join(own, 'a', 'a.workflow.yaml'), flow('a'));
  await writeFile(join(own, 'z.workflow.yaml'), flow('a'));
  const workflows = new WorkflowService({ files: new WorkflowFiles({ own }), log: silentLog });
  expect((await workflows.find('a'))?.location).toBe('own');
});

it('only what the user named at the start counts as named', async () => {
  const own = join(await temporaryFolder(), 'workflows');
  const folder = await temporaryFolder();
  await mkdir(join(own, 'imported'), { recursive: true });
  await writeFile(join(own, 'imported', 'x.workflow.yaml'), flow('imported'));
  await writeFile(join(own, 'mine.workflow.yaml'), flow('mine'));
  await writeFile(join(folder, 'named.workflow.yaml'), flow('named'));
  const files = new WorkflowFiles({ own, folders: [folder, join(own, 'imported')] });
  const workflows = new WorkflowService({ files, log: silentLog });
  await workflows.refresh();
  expect(['named', 'mine', 'imported', 'none'].filter((id) => workflows.isNamed(id))).toEqual(['named']);
});

it('tells of tests, cassettes, profiles and named files that come, change and go beside a workflow', async () => {
  const own = await temporaryFolder();
  const rows = flow('a').replace('type: input', 'type: input, testRows: data/a.csv');
  await writeFile(join(own, 'a.workflow.yaml'), rows);
  const workflows = new WorkflowService({ files: new WorkflowFiles({ own }), log: silentLog });
  await workflows.refresh();
  let events = 0;
  workflows.events.listen(() => (events += 1));
  const look = async (): Promise<number> => {
    await workflows.refresh();
    return events;
  };
  expect(await look()).toBe(0);
  await writeFile(join(own, 'a.tests.yaml'), 'rowbench: 1');
  expect([await look(), await look()]).toEqual([1, 1]);
  await writeFile(join(own, 'a.tests.yaml'), 'rowbench: 1\ntests: []');
  expect([await look(), await look()]).toEqual([2, 2]);
  await mkdir(join(own, 'data'));
  await writeFile(join(own, 'data', 'a.csv'), 'n\n1\n');
  await writeFile(join(own, 'data', 'other.csv'), 'n\n1\n');
  expect([await look(), await look()]).toEqual([3, 3]);
  await unlink(join(own, 'data', 'a.csv'));
  await unlink(join(own, 'data', 'other.csv'));
  expect([await look(), await look()]).toEqual([4, 4]);
  await writeFile(join(own, 'profiles.yaml'), 'rowbench: 1');
  expect([await look(), await look()]).toEqual([5, 5]);
  await writeFile(join(own, 'a.cassette.json'), '{}');
  expect([await look(), await look()]).toEqual([6, 6]);
});

it('the sample row is the first test row, also once the file of test rows has changed', async () => {
  const own = await temporaryFolder();
  const text = flow('a').replace('type: input', 'type: input, testRows: rows.csv');
  await writeFile(join(own, 'a.workflow.yaml'), text);
  const workflows = new WorkflowService({ files: new WorkflowFiles({ own }), log: silentLog });
  const sample = async (): Promise<unknown> => (await workflows.list())[0]?.sampleRow;
  expect(await sample()).toEqual({ n: 'text' });
  await writeFile(join(own, 'rows.csv'), 'n\nfirst\nsecond\n');
  expect(await sample()).toEqual({ n: 'first' });
  await writeFile(join(own, 'rows.csv'), `n\nanother\n${'x\n'.repeat(100_000)}`);
  expect(await sample()).toEqual({ n: 'another' });
  await writeFile(join(own, 'rows.csv'), `${'x'.repeat(1001)}\n1\n`);
  expect(await sample()).toEqual({ n: 'text' });
  await unlink(join(own, 'rows.csv'));
  expect(await sample()).toEqual({ n: 'text' });
});

it('a file that comes while the folders are looked through is found by who asks then', async () => {
  const own = await temporaryFolder();
  await writeFile(join(own, 'a.workflow.yaml'), flow('a'));
  const [isPassed, goesOn] = [deferred(), deferred()];
  const stat: FileSystem['stat'] = async (path) => {
    const found = await nodeFileSystem.stat(path);
    isPassed.resolve();
    await goesOn.promise;
    return found;
  };
  const files = new WorkflowFiles({ own, fileSystem: { ...nodeFileSystem, stat } });
  const workflows = new WorkflowService({ files, log: silentLog });
  const before = workflows.refresh();
  await isPassed.promise;
  await writeFile(join(own, 'b.workflow.yaml'), flow('b'));
  await writeFile(join(own, 'a.workflow.yaml'), flow('a').replace('row.n', 'row.other'));
  const found = [workflows.find('b'), workflows.find('a')];
  goesOn.resolve();
  await before;
  expect((await found[0])?.id).toBe('b');
  expect((await found[1])?.source).toContain('row.other');
});
