// Files of a draft exist for the draft: a new table is read by checks, previews, tests and the editor's help before it is
// saved.
import { describe, expect, it, onTestFinished } from 'vitest';
import type { QuestionInput, QuestionName } from '../../../src-main/contract/index.ts';
import { textHash } from '../../../src-main/files/text-file.ts';
import { askAbout, fileWith } from '../../builders/editor-window.ts';
import { startTestApp } from '../../builders/start-test-app.ts';

const saved = `rowbench: 1
id: flow
nodes:
  - { id: input, type: input, testRows: [{ code: A1 }] }
  - { id: result, type: output, fields: { code: =row.code } }
`;
const text = `rowbench: 1
id: flow
nodes:
  - { id: input, type: input, testRows: flow.rows.json }
  - { id: trade, type: lookup, table: flow.trades.csv, key: code, match: =row.code }
  - { id: result, type: output, fields: { trade: =nodes.trade.name } }
`;
const tests = `rowbench: 1
tests:
  - name: finds the trade
    rows: flow.rows.json
    expect: { status: completed, rows: [{ trade: Steel }] }
`;
const drafted = {
  'flow.workflow.yaml': text,
  'flow.trades.csv': 'code,name\nA1,Steel\n',
  'flow.rows.json': '[{ "code": "A1" }]\n',
  'flow.tests.yaml': tests,
};

async function open() {
  const other = saved.replace('id: flow', 'id: other');
  const app = await startTestApp({ workflows: { flow: saved, other } });
  onTestFinished(() => app.close());
  const ask = <N extends QuestionName>(
    name: N,
    input: QuestionInput<N>,
    texts: Record<string, string> = drafted,
  ) =>
    askAbout(
      app.handlers,
      'flow',
      Object.entries(texts).map(([file, each]) => fileWith(file, each)),
      name,
      input,
    );
  return { app, ask };
}

describe('files of a draft that are not saved', () => {
  it('are there for checks, previews, tests, columns and completions', async () => {
    const { ask } = await open();
    expect((await ask('check', {}))?.issues).toEqual([]);
    const preview = await ask('preview', { rows: { of: 'testRows' }, mode: 'mocks' });
    expect(preview?.issues).toEqual([]);
    expect(JSON.stringify(preview?.rows)).toContain('Steel');
    expect(await ask('tests', {})).toMatchObject({ passed: 1, failed: 0 });
    const names = await ask('names', {});
    expect(names?.tables).toContainEqual({ path: 'flow.trades.csv', columns: ['code', 'name'] });
    expect(await ask('fixes', {})).toEqual([]);
    const offset = text.indexOf('flow.trades.csv');
    const completions = await ask('complete', { name: 'flow.workflow.yaml', offset });
    expect(JSON.stringify(completions)).toContain('flow.trades.csv');
  });

  it('can be shared: a new table has any name, and its file says which workflows read it', async () => {
    const { app } = await open();
    const shared = (id: string): string =>
      text.replace('id: flow', `id: ${id}`).replace('flow.trades', 'trades').replace('flow.rows.json', '[]');
    const save = (workflowId: string, files: Record<string, string>) =>
      app.handlers['author.save']({
        workflowId,
        files: Object.entries(files).map(([name, each]) => ({
          name,
          baseHash: name.endsWith('.yaml') ? textHash(saved.replace('id: flow', `id: ${workflowId}`)) : null,
          text: each,
        })),
      });
    const first = { 'flow.workflow.yaml': shared('flow'), 'trades.csv': 'code,name\nA1,Steel\n' };
    expect(await save('flow', first)).toMatchObject({ kind: 'saved' });
    expect(await save('other', { 'other.workflow.yaml': shared('other') })).toMatchObject({ kind: 'saved' });
    const opened = await app.handlers['author.open']({ workflowId: 'other' });
    expect(opened.files.map(({ name }) => name)).toEqual(['other.workflow.yaml', 'trades.csv']);
    expect(opened.readers).toEqual({ 'profiles.yaml': ['flow'], 'trades.csv': ['flow'] });
    await expect(save('flow', { 'third.workflow.yaml': 'a' })).rejects.toThrow('third.workflow.yaml');
  });

  it('are read as they are now, and missing ones are missing', async () => {
    const { ask } = await open();
    const changed = { ...drafted, 'flow.trades.csv': 'code,name\nA1,Stone\n' };
    expect(await ask('tests', {})).toMatchObject({ passed: 1 });
    expect(await ask('tests', {}, changed)).toMatchObject({ failed: 1 });
    const unkeyed = await ask('check', {}, { ...drafted, 'flow.trades.csv': 'id,name\nA1,Steel\n' });
    expect(unkeyed?.issues.map(({ message }) => message).join()).toContain('code');
    const { 'flow.trades.csv': _, ...without } = drafted;
    const [issue] = (await ask('check', {}, without))?.issues ?? [];
    expect(issue?.message).toContain('there is no such file');
  });
});
