// Symbolic links beside a workflow: no write of the app or a command leaves the folder through one of them.
import { lstat, mkdir, readFile, readdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openTestServices } from '../../builders/open-test-services.ts';
import { runCli } from '../../builders/run-cli.ts';
import { startTestApp } from '../../builders/start-test-app.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';
import { json, startUpstream } from '../../builders/upstream-server.ts';
import { textHash } from '../../../src-main/files/text-file.ts';

const flow = `rowbench: 1
id: flow
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: { n: =row.n } }
`;
const tests = `tests:
  - name: gives n
    rows: [{ n: 1 }]
    expect: { status: completed, rows: expected.json }
`;
const outside = 'the text of another program\n';
const isLink =
  'is a link to a file outside the folders that may be written. Replace the link with a copy of that file';
const leadsNowhere = 'is a link that leads to no file. Remove the link';

/** A folder elsewhere, and links from the workflow's folder to files in it. */
async function linkTo(folder: string, ...names: readonly string[]) {
  const elsewhere = await temporaryFolder();
  const link = async (name: string): Promise<void> => {
    await writeFile(join(elsewhere, name), outside);
    await symlink(join(elsewhere, name), join(folder, name));
  };
  for (const name of names) await link(name);
  return {
    elsewhere,
    /** All texts there: a write that followed a link shows here. */
    textsThere: async (): Promise<readonly string[]> => {
      const found = await readdir(elsewhere);
      return Promise.all(found.map((name) => readFile(join(elsewhere, name), 'utf8')));
    },
  };
}

async function openApp() {
  const app = await startTestApp({ workflows: { flow } });
  onTestFinished(() => app.close());
  const folder = join(app.dataDir, 'workflows');
  const save = (...files: readonly { name: string; text: string; before: string | null }[]) =>
    app.handlers['author.save']({
      workflowId: 'flow',
      files: files.map(({ name, text, before }) => ({
        name,
        text,
        baseHash: before === null ? null : textHash(before),
      })),
    });
  return { ...app, folder, save };
}

describe.skipIf(process.platform === 'win32')('a save in the app', () => {
  it('writes no tests file and no cassette through a link out of the folder', async () => {
    const { folder, save } = await openApp();
    const names = ['flow.tests.yaml', 'flow.cassette.json'];
    const { textsThere } = await linkTo(folder, ...names);
    for (const name of names)
      await expect(save({ name, text: tests, before: outside })).rejects.toThrow(
        `${name} was not saved: it ${isLink}`,
      );
    expect(await textsThere()).toEqual([outside, outside]);
  });

  it('writes none of several files if one of them is such a link', async () => {
    const { folder, save } = await openApp();
    const { textsThere } = await linkTo(folder, 'flow.tests.yaml');
    const saving = save(
      { name: 'flow.workflow.yaml', text: `${flow}# changed\n`, before: flow },
      { name: 'flow.tests.yaml', text: tests, before: outside },
    );
    await expect(saving).rejects.toThrow(isLink);
    expect(await readFile(join(folder, 'flow.workflow.yaml'), 'utf8')).toBe(flow);
    expect(await textsThere()).toEqual([outside]);
  });

  it('makes no file at the end of a link that leads nowhere', async () => {
    const { folder, save } = await openApp();
    const { elsewhere } = await linkTo(folder);
    await symlink(join(elsewhere, 'new.yaml'), join(folder, 'flow.tests.yaml'));
    const saving = save({ name: 'flow.tests.yaml', text: tests, before: null });
    await expect(saving).rejects.toThrow(`flow.tests.yaml was not saved: it ${leadsNowhere}`);
    expect(await readdir(elsewhere)).toEqual([]);
  });

  it('follows a link to a file in the folder, and keeps it', async () => {
    const { folder, save } = await openApp();
    const [link, file] = [join(folder, 'flow.tests.yaml'), join(folder, 'shared.yaml')];
    await writeFile(file, tests);
    await symlink(file, link);
    expect(await save({ name: 'flow.tests.yaml', text: `${tests}\n`, before: tests })).toHaveProperty(
      'kind',
      'saved',
    );
    expect(await readFile(file, 'utf8')).toBe(`${tests}\n`);
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
  });

  it('writes no file of an import whose folder was replaced by a link', async () => {
    const { folder, handlers } = await openApp();
    const source = join(await temporaryFolder(), 'brought.workflow.yaml');
    await writeFile(source, flow.replace('id: flow', 'id: brought'));
    const { digest } = await handlers['workflow.inspect']({ path: source, replaces: false });
    await handlers['workflow.import']({ path: source, replaces: false, trusted: digest });
    const elsewhere = await temporaryFolder();
    await rename(join(folder, 'brought'), join(elsewhere, 'brought'));
    await symlink(join(elsewhere, 'brought'), join(folder, 'brought'));
    const file = { name: 'brought.tests.yaml', baseHash: null, text: tests };
    const saving = handlers['author.save']({ workflowId: 'brought', files: [file] });
    await expect(saving).rejects.toThrow(/its folder .+ is a link to a folder outside the folders/);
    expect(await readdir(join(elsewhere, 'brought'))).toEqual(['brought.workflow.yaml']);
  });
});

describe.skipIf(process.platform === 'win32')('a command', () => {
  it('"runs save-test" changes no file outside the folder', async () => {
    const services = await openTestServices({ flow });
    const { runId } = await services.start('flow', [{ n: 1 }]);
    await expect
      .poll(async () => (await services.runs.get(runId)).run.status, { timeout: 10_000 })
      .toBe('completed');
    await services.close();
    const folder = join(services.dataDir, 'workflows');
    const elsewhere = await temporaryFolder();
    const valid = tests.replace('expected.json', '[{ n: 1 }]');
    const [file, link] = [join(elsewhere, 'flow.tests.yaml'), join(folder, 'flow.tests.yaml')];
    await writeFile(file, valid);
    await symlink(file, link);
    const saved = await runCli(['runs', 'save-test', runId, '--data', services.dataDir], { cwd: folder });
    expect([saved.code, saved.stderr]).toEqual([2, expect.stringContaining(isLink) as string]);
    expect(await readFile(file, 'utf8')).toBe(valid);
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
  });

  it('"test --update" replaces no link, and writes none of the files', async () => {
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, 'flow.workflow.yaml'), flow);
    const changed = tests.replace('rows: [{ n: 1 }]', 'rows: [{ n: 2 }]');
    await writeFile(
      join(cwd, 'flow.tests.yaml'),
      `${changed}  - name: one\n    rows: [{ n: 1 }]\n    expect: { status: completed, rows: [{ n: 3 }] }\n`,
    );
    const before = await readFile(join(cwd, 'flow.tests.yaml'), 'utf8');
    const elsewhere = await temporaryFolder();
    await writeFile(join(elsewhere, 'expected.json'), '[{ "n": 1 }]');
    await symlink(join(elsewhere, 'expected.json'), join(cwd, 'expected.json'));
    const { code, stderr } = await runCli(['test', '--update'], { cwd });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`expected.json was not saved: it ${isLink}`) as string,
    ]);
    expect(await readFile(join(cwd, 'flow.tests.yaml'), 'utf8')).toBe(before);
    expect(await readFile(join(elsewhere, 'expected.json'), 'utf8')).toBe('[{ "n": 1 }]');
    expect((await lstat(join(cwd, 'expected.json'))).isSymbolicLink()).toBe(true);
  });

  it('"run --record" makes no call if the cassette or its journal is a link out of the folder', async () => {
    const upstream = await startUpstream({ '/': json({ n: 1 }) });
    const calling = flow.replace(
      '  - { id: result, type: output, fields: { n: =row.n } }',
      `  - { id: call, type: http, request: { url: "${upstream.url('/')}" } }\n  - { id: result, type: output, fields: { n: =nodes.call.body.n } }`,
    );
    for (const name of ['flow.cassette.json', 'flow.cassette.json.recording']) {
      const cwd = await temporaryFolder();
      await writeFile(join(cwd, 'flow.workflow.yaml'), calling);
      await writeFile(join(cwd, 'rows.json'), '[{ "n": 1 }]');
      const elsewhere = await temporaryFolder();
      await symlink(join(elsewhere, 'made'), join(cwd, name));
      const args = ['run', 'flow.workflow.yaml', '--rows', 'rows.json', '--record'];
      const { code, stderr } = await runCli([...args, '--allow-network', 'loopback'], { cwd });
      expect([code, stderr]).toEqual([
        expect.not.stringMatching('0') as number,
        expect.stringContaining(leadsNowhere),
      ]);
      expect(await readdir(elsewhere)).toEqual([]);
      expect(upstream.calls).toEqual([]);
      expect((await lstat(join(cwd, name))).isSymbolicLink()).toBe(true);
    }
  });

  it('"new" writes none of its files if one is a link that leads nowhere', async () => {
    const cwd = await temporaryFolder();
    const elsewhere = await temporaryFolder();
    await mkdir(join(cwd, 'flows'));
    await symlink(join(elsewhere, 'made'), join(cwd, 'flows', 'AGENTS.md'));
    const { code, stderr } = await runCli(['new', 'flow', '--agents', '--dir', 'flows'], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining('AGENTS.md is there already') as string]);
    expect(await readdir(join(cwd, 'flows'))).toEqual(['AGENTS.md']);
    expect(await readdir(elsewhere)).toEqual([]);
  });
});
