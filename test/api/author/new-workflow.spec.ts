// New workflows through the control API: the texts of their files, and writing them.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { procedures, type Input, type NewFileView } from '../../../src-main/contract/index.ts';
import { longestTurn } from '../../builders/longest-turn.ts';
import { startTestApp } from '../../builders/start-test-app.ts';

async function author({ ownProcesses = false } = {}) {
  const app = await startTestApp({ workflows: {}, ownProcesses });
  onTestFinished(() => app.close());
  const folder = join(app.dataDir, 'workflows');
  const draft = (input: Partial<Input<'author.draftNew'>> = {}) =>
    app.handlers['author.draftNew']({ workflowId: 'leads', ...input });
  const create = (files: readonly NewFileView[], workflowId = 'leads') =>
    app.handlers['author.create']({ workflowId, folder, files: [...files] });
  return { ...app, folder, draft, create, names: () => readdir(folder) };
}

describe('the draft of a new workflow', () => {
  it('is valid and writes nothing', async () => {
    const { draft, names } = await author();
    const rows = [{ email: 'ada@example.com', size: 12 }];
    const { files, issues } = await draft({ name: 'Leads: all', rows });
    expect([files.map(({ name }) => name), issues]).toEqual([['leads.workflow.yaml'], []]);
    expect(files[0]?.text).toContain("name: 'Leads: all'\n");
    expect(files[0]?.text).toContain('      - { email: ada@example.com, size: 12 }\n');
    expect(await names()).toEqual([]);
  });

  // The server was silent for a second.
  it('is made of a row with very many fields while the server stays responsive', async () => {
    const { draft } = await author({ ownProcesses: true });
    await draft();
    const row = Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`field${at}`, at]));
    const { result, longestPart } = await longestTurn(() => draft({ rows: [row] }));
    expect(result.files[0]?.text).toContain('field59999');
    expect(longestPart).toBeLessThan(0.5);
  });

  it('never has the value of a secret', async () => {
    const { draft } = await author();
    const secret = { name: 'CRM_TOKEN', host: 'api.crm.com' };
    const call = { method: 'GET', url: 'https://api.crm.com/x', headers: {}, secret };
    const { files, issues } = await draft({ call });
    expect(issues).toEqual([]);
    expect(files[0]?.text).toContain('    auth: { secret: CRM_TOKEN }\n');
    const withValue = { workflowId: 'leads', call: { ...call, secret: { ...secret, value: 'hush-4711' } } };
    expect(procedures['author.draftNew'].input.safeParse(withValue).success).toBe(false);
  });

  it('of a template has its tests, and the name', async () => {
    const { handlers, draft } = await author();
    const templates = await handlers['author.templates']({});
    expect(templates).toContainEqual({
      name: 'company-lookup',
      title: 'Company lookup',
      description:
        'Asks a service about a company, by the domain of an e-mail address, and sorts leads by its answer.',
    });
    for (const { description } of templates) expect(description).toMatch(/^[A-Z].*\.$/);
    const { files, issues } = await draft({ template: 'company-lookup', name: '$& firms' });
    expect(issues).toEqual([]);
    expect(files.map(({ name }) => name)).toEqual([
      'leads.workflow.yaml',
      'leads.cassette.json',
      'leads.rows.json',
      'leads.tests.yaml',
    ]);
    expect(files[0]?.text).toContain('name: $& firms\n');
    await expect(draft({ template: '../x' })).rejects.toThrow('There is no template "../x"');
  });
});

describe('a new workflow', () => {
  it('of a template passes its tests', async () => {
    const { handlers, draft, create, names } = await author();
    const { files } = await draft({ template: 'company-lookup' });
    await create(files);
    expect((await names()).sort()).toEqual(files.map(({ name }) => name).sort());
    const { passed, failed } = await handlers['workflow.runTests']({ workflowId: 'leads' });
    expect([passed > 0, failed]).toEqual([true, 0]);
  });

  it('of many rows has them in a file that it runs with', async () => {
    const { handlers, draft, create } = await author();
    const rows = Array.from({ length: 1_000 }, (_, number) => ({ number }));
    const { files } = await draft({ rows });
    await create(files);
    expect(files.map(({ name }) => name)).toContain('leads.rows.json');
    expect(await handlers['workflow.testRows']({ workflowId: 'leads' })).toEqual({ total: 1_000 });
  });

  it.each(['leads.rows.json', 'leads.workflow.yaml'])(
    'is written whole or not at all: %s is there already',
    async (name) => {
      const { draft, create, folder, names } = await author();
      await writeFile(join(folder, name), 'mine');
      const rows = Array.from({ length: 30 }, (_, number) => ({ number }));
      await expect(create((await draft({ rows })).files)).rejects.toThrow(/is there already|is taken/);
      expect(await names()).toEqual([name]);
      expect(await readFile(join(folder, name), 'utf8')).toBe('mine');
    },
  );

  it.each(['other.rows.json', 'leads.../x.json', 'leads./../x.json', 'leads.b.workflow.yaml', 'leads.sh'])(
    'has no file %s',
    async (name) => {
      const { draft, create, names } = await author();
      const { files } = await draft();
      await expect(create([...files, { name, text: '' }])).rejects.toThrow(name);
      expect(await names()).toEqual([]);
    },
  );

  it('of two at once with the same id is written once', async () => {
    const { draft, create, folder } = await author();
    const { files } = await draft();
    for (let round = 0; round < 20; round += 1) {
      const workflowId = `leads-${round}`;
      const texts = ['one', 'two'].map((name) =>
        (files[0]?.text ?? '')
          .replace('id: leads', `id: ${workflowId}`)
          .replace('name: Leads', `name: ${name}`),
      );
      const name = `${workflowId}.workflow.yaml`;
      const outcomes = await Promise.allSettled(texts.map((text) => create([{ name, text }], workflowId)));
      const written = outcomes.findIndex(({ status }) => status === 'fulfilled');
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await readFile(join(folder, name), 'utf8')).toBe(texts[written]);
    }
  });
});
