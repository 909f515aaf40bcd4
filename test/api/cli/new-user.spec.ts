// Steps at which first-time users of Rowbench stumbled.
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openTestServices } from '../../builders/open-test-services.ts';
import { recordedLog } from '../../builders/recorded-log.ts';
import { runCliProcess } from '../../builders/run-cli.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const greet = `rowbench: 1
id: greet
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: { greeting: "Hello {{ row.name }}" } }
`;

const failing = `rowbench: 1
id: failing
nodes:
  - { id: input, type: input }
  - { id: no, type: fail, message: "{{ row.m }}" }
  - { id: result, type: output, after: no, fields: { m: 1 } }
`;

async function folderWith(files: Record<string, string>): Promise<string> {
  const folder = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

describe('rowbench run --out', () => {
  it.each([
    [
      'a folder that is not there',
      'nowhere/out.json',
      /nowhere\/out\.json cannot be written: there is no folder/,
    ],
    ['a folder', 'there', /there cannot be written: it is a folder/],
  ])('refuses %s before it runs anything', async (_what, name, message) => {
    const folder = await folderWith({ 'greet.workflow.yaml': greet, 'rows.json': '[{"name":"Ada"}]' });
    await mkdir(join(folder, 'there'));
    const args = ['run', join(folder, 'greet.workflow.yaml'), '--rows', join(folder, 'rows.json')];
    const { code, stderr } = await runCliProcess([...args, '--out', join(folder, name)]);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('Completed');
    expect(code).toBe(2);
  });
});

describe('rowbench run', () => {
  it("prints a failed row's text without what a terminal would obey", async () => {
    const rows = JSON.stringify([{ m: '\u001b]0;pwned\u0007\u001b[2J' }]);
    const folder = await folderWith({ 'failing.workflow.yaml': failing, 'rows.json': rows });
    const { code, stderr } = await runCliProcess([
      'run',
      join(folder, 'failing.workflow.yaml'),
      '--rows',
      join(folder, 'rows.json'),
    ]);
    expect(code).toBe(1);
    expect(stderr).toContain('Node "no" failed on row 1');
    expect([...stderr].filter((sign) => sign < ' ' && sign !== '\n')).toEqual([]);
  });
});

describe('rowbench test', () => {
  it("prints a file's name without what a terminal would obey", async () => {
    const folder = await folderWith({ 'a\u001b[2J\u009b\u202e.tests.yaml': 'tests: 1' });
    const { code, stdout, stderr } = await runCliProcess(['test', folder]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('1 test')]);
    expect(stdout).toContain('/a\\u001b[2J\\u009b\\u202e.tests.yaml\n');
    expect(stdout).not.toMatch(/[\u001b\u009b\u202e]/);
  });
});

describe('a data folder that does not exist', () => {
  it.each([
    ['runs', 'list'],
    ['keys', 'list'],
    ['runs', 'show', 'x'],
    ['export', 'x'],
  ])('is an error for %s %s, and is not made', async (...command) => {
    const dataDir = join(await temporaryFolder(), 'mistyped');
    const { code, stderr } = await runCliProcess([
      ...command.filter((word) => typeof word === 'string'),
      '--data',
      dataDir,
    ]);
    expect(stderr).toContain(`There is no data folder ${dataDir}. Make one with: node `);
    expect(stderr).toContain(`cli.js serve --data "${dataDir}"\n`);
    expect(code).toBe(2);
    await expect(stat(dataDir)).rejects.toThrow('ENOENT');
  });

  it('takes no key that could not be meant', async () => {
    const data = ['--data', join(await temporaryFolder(), 'new')];
    const create = (...args: string[]) => runCliProcess(['keys', 'create', ...args, ...data]);
    expect((await create('--name', '')).stderr).toMatch(/^error: Invalid input: [^\n]+ \(name\)\n$/);
    expect((await create('--name', 'a', '--workflow', 'a b')).stderr).toContain('A workflow id is 1 to 64');
    expect(await create('--name', 'a', '--workflow', 'nope')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(
        'warning: no workflow file with the id "nope" is known here\n',
      ) as string,
    });
  });

  it('is made for a first key', async () => {
    const dataDir = join(await temporaryFolder(), 'new');
    const { code } = await runCliProcess(['keys', 'create', '--name', 'CI', '--data', dataDir]);
    expect(code).toBe(0);
    expect(await readFile(join(dataDir, 'keys.json'), 'utf8')).toContain('"CI"');
  });
});

describe('workflow folders of a server', () => {
  it('tell of each file that cannot run, once for each change', async () => {
    const { log, lines } = recordedLog();
    const services = await openTestServices({ broken: greet.replace('output', 'outptu') }, { log });
    await services.workflows.refresh();
    await services.workflows.refresh();
    expect(lines).toEqual([
      expect.stringMatching(/cannot run until it is fixed: .*broken\.workflow\.yaml:\d+:\d+: /) as string,
    ]);
  });

  it('tell of two files with one id, naming both', async () => {
    const { log, lines } = recordedLog();
    const services = await openTestServices({ a: greet, b: greet }, { log });
    await services.workflows.refresh();
    expect(lines).toEqual([
      expect.stringMatching(
        /two files have the id "greet": .*a\.workflow\.yaml is used, .*b\.workflow\.yaml is not/,
      ) as string,
    ]);
  });

  it('tell of a file whose name hides it', async () => {
    const { log, lines } = recordedLog();
    const services = await openTestServices({}, { log });
    await writeFile(join(services.dataDir, 'workflows', 'greet.yaml'), greet);
    await services.workflows.refresh();
    expect(lines).toEqual([
      expect.stringContaining('greet.yaml is not served: workflow files are named') as string,
    ]);
  });
});
