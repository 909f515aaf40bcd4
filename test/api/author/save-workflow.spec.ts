// Drafts and saves of workflows through the control API, on real files.
import {
  appendFile,
  chmod,
  mkdir,
  readdir,
  readFile,
  rename,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import type { MergeHunk } from '../../../src-main/domain/authoring/create/merge-hunks.ts';
import type { SaveView } from '../../../src-main/domain/authoring/create/save-view.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { askAboutText } from '../../builders/editor-window.ts';
import { startTestApp } from '../../builders/start-test-app.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';
import { textHash } from '../../../src-main/files/text-file.ts';

/** The parts of the first file that another program has changed. */
const hunksOf = (answer: SaveView): readonly MergeHunk[] | undefined =>
  answer.kind === 'changed' ? answer.files[0]?.hunks : undefined;

/** The text of both versions, if none of its parts is a clash. */
const textOfHunks = (answer: SaveView): string | undefined =>
  hunksOf(answer)
    ?.map((part) => (part.kind === 'clash' ? 'clash' : part.text))
    .join('');

const leads = (name: string): string => `rowbench: 1
id: leads
# Rows come from the form.
nodes:
  - { id: input, type: input }

  - id: score
    type: set
    values:
      name: ${name}

  - { id: result, type: output, fields: { name: =nodes.score.name } }
`;

async function author(options: { readonly home?: string } = {}) {
  const app = await startTestApp({ workflows: { leads: leads('a') }, ...options });
  onTestFinished(() => app.close());
  const file = join(app.dataDir, 'workflows', 'leads.workflow.yaml');
  const edit = (text: string, base: string | null = leads('a')) => ({
    name: 'leads.workflow.yaml',
    baseHash: base === null ? null : textHash(base),
    text,
  });
  const save = (...files: ReturnType<typeof edit>[]) =>
    app.handlers['author.save']({ workflowId: 'leads', files });
  /** Stores a draft of these files; resolves to its time. */
  const store = async (...files: ReturnType<typeof edit>[]) => {
    const change = { workflowId: 'leads', editor: 'window', version: 1, base: null, files };
    return (await app.handlers['author.change']({ ...change, stores: 'now' })).storedAt;
  };
  const textOf = () => readFile(file, 'utf8');
  return { ...app, file, edit, save, store, textOf, folder: join(app.dataDir, 'workflows') };
}

describe('a draft', () => {
  it('survives a restart, and changes no file', async () => {
    const home = await temporaryFolder();
    const first = await author({ home });
    const file = first.edit(leads('b'));
    const at = await first.store(file);
    expect(await first.textOf()).toBe(leads('a'));
    await first.close();

    const { handlers } = await author({ home });
    const opened = await handlers['author.open']({ workflowId: 'leads' });
    expect(opened.draft).toEqual({ at, files: [file] });
    expect(await handlers['author.drafts']({})).toEqual([{ workflowId: 'leads', at }]);
    const undone = { workflowId: 'leads', editor: 'window', version: 1, base: null, files: [] };
    await handlers['author.change']({ ...undone, stores: 'now' });
    expect((await handlers['author.open']({ workflowId: 'leads' })).draft).toBeUndefined();
  });

  it('is dropped by a save of the same text only', async () => {
    const { handlers, save, store, edit } = await author();
    await store(edit(leads('typed since')));
    expect(await save(edit(leads('b')))).toMatchObject({ kind: 'saved' });
    const opened = await handlers['author.open']({ workflowId: 'leads' });
    expect(opened.draft?.files).toEqual([edit(leads('typed since'))]);
  });
});

describe('a file in another encoding', () => {
  const latin1 = Buffer.from(leads('café'), 'latin1');

  it('is listed with the reason, and not opened', async () => {
    const { handlers, file } = await author();
    await writeFile(file, latin1);
    const [shown] = await handlers['workflow.list']({});
    expect(shown).toMatchObject({
      id: 'leads',
      issues: [
        {
          line: 10,
          column: 16,
          message: 'This is not UTF-8 text: save the file as UTF-8',
          severity: 'error',
        },
      ],
    });
    await expect(handlers['author.open']({ workflowId: 'leads' })).rejects.toMatchObject({
      message: expect.stringContaining(
        `${file} is not UTF-8 text in line 10, column 16: save it as UTF-8`,
      ) as string,
    });
  });

  it('is never replaced by a save, whatever text the client expects', async () => {
    const { handlers, save, edit, file } = await author();
    await handlers['author.open']({ workflowId: 'leads' });
    await writeFile(file, latin1);
    for (const base of [leads('a'), latin1.toString('utf8'), null])
      await expect(save(edit(leads('b'), base))).rejects.toThrow('is not UTF-8 text in line 10, column 16');
    expect(await readFile(file)).toEqual(latin1);
  });
});

describe('a save', () => {
  it('writes the bytes of the text and nothing else, and keeps both texts', async () => {
    const { handlers, save, edit, textOf, folder } = await author();
    const text = '\ufeff' + leads('b').replaceAll('\n', '\r\n').trimEnd();
    expect(await save(edit(text))).toEqual({
      kind: 'saved',
      workflowId: 'leads',
      files: [{ name: 'leads.workflow.yaml', hash: textHash(text) }],
      hasReplaced: false,
    });
    expect(await textOf()).toBe(text);
    expect(await readdir(folder)).toEqual(['leads.workflow.yaml']);
    expect((await handlers['workflow.show']({ workflowId: 'leads' })).hash).toBe(textHash(text));
    const history = await handlers['author.history']({ workflowId: 'leads' });
    expect(history.map(({ by }) => by)).toEqual(['app', 'outside']);
    const texts = await Promise.all(
      history.map(({ id }) => handlers['author.savedText']({ workflowId: 'leads', id })),
    );
    expect(texts.map((saved) => saved.text)).toEqual([text, leads('a')]);
  });

  it('of a broken text is possible', async () => {
    const { save, edit, textOf } = await author();
    expect(await save(edit('nodes: ['))).toMatchObject({ kind: 'saved' });
    expect(await textOf()).toBe('nodes: [');
  });

  it('writes nothing over a change of another program, and merges what does not touch', async () => {
    const { save, edit, textOf, file, handlers } = await author();
    await handlers['author.open']({ workflowId: 'leads' });
    await appendFile(file, '# theirs\n');
    const theirs = `${leads('a')}# theirs\n`;
    const answer = await save(edit(leads('b')));
    expect(answer).toEqual({
      kind: 'changed',
      files: [
        {
          name: 'leads.workflow.yaml',
          text: theirs,
          hash: textHash(theirs),
          hunks: hunksOf(answer),
        },
      ],
    });
    expect(textOfHunks(answer)).toBe(`${leads('b')}# theirs\n`);
    expect(await textOf()).toBe(theirs);
    expect(await save(edit(`${leads('b')}# theirs\n`, theirs))).toMatchObject({ kind: 'saved' });
  });

  it('says so where both changed the same line', async () => {
    const { save, edit, file } = await author();
    await writeFile(file, leads('theirs'));
    const answer = await save(edit(leads('mine')));
    expect(answer).toMatchObject({ kind: 'changed', files: [{ text: leads('theirs') }] });
    const clashes = hunksOf(answer)?.flatMap((part) => (part.kind === 'clash' ? [part.theirs] : []));
    expect(clashes).toEqual([expect.stringContaining('theirs')]);
  });

  it('merges changes of different nodes, also in adjacent lines', async () => {
    const { save, edit, file } = await author();
    const other = leads('a').replace(
      'nodes:',
      'nodes:\n  - { id: one, type: set, values: { a: 1 } }\n  - { id: two, type: set, values: { a: 2 } }',
    );
    await save(edit(other));
    await writeFile(file, other.replace('{ a: 2 }', '{ a: theirs }'));
    const mine = other.replace('{ a: 1 }', '{ a: mine }');
    expect(textOfHunks(await save(edit(mine, other)))).toBe(mine.replace('{ a: 2 }', '{ a: theirs }'));
  });

  it('writes all files or none', async () => {
    const { save, edit, textOf, folder } = await author();
    await writeFile(join(folder, 'leads.tests.yaml'), 'tests: []\n');
    const tests = { name: 'leads.tests.yaml', baseHash: textHash('another text'), text: 'tests:\n' };
    expect(await save(edit(leads('b')), tests)).toMatchObject({ kind: 'changed' });
    expect(await textOf()).toBe(leads('a'));
    const fresh = { name: 'leads.cassette.json', baseHash: null, text: '{}' };
    const known = { ...tests, baseHash: textHash('tests: []\n') };
    expect(await save(edit(leads('b')), known, fresh)).toMatchObject({ kind: 'saved' });
    expect(await readFile(join(folder, 'leads.cassette.json'), 'utf8')).toBe('{}');
  });

  it.each(['../leads.tests.yaml', 'other.workflow.yaml', 'notes.txt', 'other.tests.yaml', '/etc/hosts'])(
    'refuses the name %s',
    async (name) => {
      const { save } = await author();
      await expect(save({ name, baseHash: null, text: '' })).rejects.toThrow(
        `${name} is not a file of the workflow "leads"`,
      );
    },
  );

  it('refuses the id of another workflow, and takes a new one', async () => {
    const { save, edit, services, handlers, folder } = await author();
    await writeFile(join(folder, 'other.workflow.yaml'), leads('x').replace('id: leads', 'id: other'));
    await services.workflows.refresh();
    const renamed = (id: string) => edit(leads('a').replace('id: leads', `id: ${id}`));
    await expect(save(renamed('other'))).rejects.toThrow('The id "other" is taken by');
    expect(await save(renamed('prospects'))).toMatchObject({ kind: 'saved', workflowId: 'prospects' });
    expect(await handlers['workflow.show']({ workflowId: 'prospects' })).toMatchObject({ id: 'prospects' });
  });

  it.skipIf(process.platform === 'win32')('keeps the permissions and the link of a file', async () => {
    const { save, edit, file, folder } = await author();
    const real = join(folder, 'shelf', 'leads.yaml');
    await mkdir(join(folder, 'shelf'));
    await rename(file, real);
    await chmod(real, 0o640);
    await symlink(real, file);
    expect(await save(edit(leads('b')))).toMatchObject({ kind: 'saved' });
    expect(await readFile(real, 'utf8')).toBe(leads('b'));
    expect((await stat(real)).mode & 0o777).toBe(0o640);
    expect(await readdir(join(folder, 'shelf'))).toEqual(['leads.yaml']);
  });

  it.skipIf(process.platform === 'win32')('does not follow a link out of the folders', async () => {
    const { save, edit, file, handlers } = await author();
    const outside = join(await temporaryFolder(), 'leads.yaml');
    await rename(file, outside);
    await symlink(outside, file);
    await expect(save(edit(leads('b')))).rejects.toThrow('it is a link to a file outside the folders');
    expect(await handlers['author.open']({ workflowId: 'leads' })).toHaveProperty('refusal');
    expect(await readFile(outside, 'utf8')).toBe(leads('a'));
  });

  it('loses no text of two writers', async () => {
    const { save, edit, handlers, file, textOf } = await author();
    const texts = new Set<string>();
    let base = await textOf();
    for (let round = 0; round < 200; round += 1) {
      const theirs = `${base}# theirs ${round}\n`;
      const mine = base
        .replace('rowbench: 1', `rowbench: 1 # mine ${round}`)
        .replace(/(# mine \d+ )#.*/, '$1');
      const [answer] = await Promise.all([save(edit(mine, base)), appendFile(file, `# theirs ${round}\n`)]);
      const now = await textOf();
      if (answer.kind === 'saved') texts.add(mine);
      if (now !== theirs && !now.includes(`# theirs ${round}`)) texts.add(theirs);
      base = now;
      const history = await handlers['author.history']({ workflowId: 'leads' });
      const known = new Set([now]);
      for (const { id } of history.slice(0, 4))
        known.add((await handlers['author.savedText']({ workflowId: 'leads', id })).text);
      for (const text of texts) expect(known).toContain(text);
      texts.clear();
    }
  });
});

describe('the history', () => {
  it('does not grow when a workflow is opened or its draft is stored', async () => {
    const { handlers, store, edit } = await author();
    await handlers['author.open']({ workflowId: 'leads' });
    await store(edit(leads('b')));
    expect(await handlers['author.history']({ workflowId: 'leads' })).toEqual([]);
  });

  it('keeps 50 texts, and those that another program saved', async () => {
    const { handlers, save, edit, services, file } = await author();
    let base = leads('a');
    for (let round = 0; round < 60; round += 1) {
      const next = leads(`round ${round}`);
      expect(await save(edit(next, base))).toMatchObject({ kind: 'saved' });
      base = next;
    }
    await writeFile(file, leads('outside'));
    await services.workflows.refresh();
    // The oldest text goes a moment after the new one came.
    const history = () => handlers['author.history']({ workflowId: 'leads' });
    await expect.poll(async () => (await history())[0]?.by).toBe('outside');
    await expect.poll(history).toHaveLength(50);
  });
});

describe('a new workflow', () => {
  it('is written into a folder that is served, and never over a file', async () => {
    const { handlers } = await author();
    const [target] = await handlers['author.folders']({});
    const create = (text: string, folder = target?.folder ?? '') =>
      handlers['author.create']({
        workflowId: 'fresh',
        folder,
        files: [{ name: 'fresh.workflow.yaml', text }],
      });
    const text = leads('x').replace('id: leads', 'id: fresh');
    await expect(create(leads('x'))).rejects.toThrow('The text does not have the id "fresh"');
    await expect(create(text, '/tmp')).rejects.toThrow('No workflow can be created in /tmp');
    const { file } = await create(text);
    expect(await readFile(file, 'utf8')).toBe(text);
    await expect(create(text)).rejects.toThrow('The id "fresh" is taken');
  });
});

it('tells of any text what is wrong with it', async () => {
  const { handlers } = await author();
  const check = (text: string) => askAboutText(handlers, { workflowId: 'leads', text }, 'check', {});
  expect((await check(leads('b'))).issues).toEqual([]);
  expect((await check(leads('=row.'))).issues).toMatchObject([{ severity: 'error', line: 10 }]);
  const broken = await check('nodes: [');
  expect(broken.issues.length).toBeGreaterThan(0);
  expect((await check('\u0000')).issues.length).toBeGreaterThan(0);
});
