// Issues of broken files in the editor, and the fixes that it offers for them.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { applyChanges } from '../../../src-main/domain/authoring/edit/text-changes.ts';
import { describeIssue } from '../../../src-main/domain/workflow/issue.ts';
import { brokenFiles } from '../../builders/broken-files.ts';
import { askAboutText } from '../../builders/editor-window.ts';
import { runCli } from '../../builders/run-cli.ts';
import { startTestApp } from '../../builders/start-test-app.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const startLeads = async () => {
  const leads =
    'rowbench: 1\nid: leads\nnodes:\n  - { id: input, type: input }\n  - { id: r, type: output, fields: {} }\n';
  const app = await startTestApp({ workflows: { leads } });
  onTestFinished(() => app.close());
  return app;
};

describe('the editor', () => {
  it('finds the same issues as rowbench validate in each of the broken files', async () => {
    const app = await startLeads();
    const folder = await temporaryFolder();
    for (const [index, { text }] of brokenFiles.entries()) {
      const { issues } = await askAboutText(app.handlers, { workflowId: 'leads', text }, 'check', {});
      const name = `broken-${index}.workflow.yaml`;
      await writeFile(join(folder, name), text);
      const { stdout, stderr } = await runCli(['validate', name], { cwd: folder });
      for (const issue of issues) expect(stdout + stderr).toContain(describeIssue(name, issue));
      expect((stdout + stderr).split(`${name}:`).length - 1).toBe(issues.length);
    }
  });

  it('offers fixes at the places of issues', async () => {
    const app = await startLeads();
    const [{ text } = { text: '' }] = brokenFiles;
    const fixed = await askAboutText(app.handlers, { workflowId: 'leads', text }, 'fixes', {});
    const { issues } = await askAboutText(app.handlers, { workflowId: 'leads', text }, 'check', {});
    expect(fixed.map(({ fixes, ...issue }) => [fixes.length, issue])).toEqual(
      issues.map(({ line, column, message }) => [2, { line, column, message }]),
    );
  });

  it('offers the tables of the folder for a lookup whose table is missing, and only those that remove the issue', async () => {
    const app = await startLeads();
    const folder = join(app.dataDir, 'workflows');
    await writeFile(join(folder, 'countries.csv'), 'code,name\nAT,Austria\n');
    await writeFile(join(folder, 'plans.csv'), 'id,price\nfree,0\n');
    await writeFile(join(folder, 'broken.ndjson'), '{"id":1\n');
    const text = lookupFlow('table: table.csv, key: id');
    const fixed = await askAboutText(app.handlers, { workflowId: 'leads', text }, 'fixes', {});
    const { issues } = await askAboutText(app.handlers, { workflowId: 'leads', text }, 'check', {});
    expect(fixed).toMatchObject(issues.map(({ line, column, message }) => ({ line, column, message })));
    const [first, second] = fixed[0]?.fixes ?? [];
    expect(fixed[0]?.fixes.map(({ title }) => title)).toEqual([
      'Change to "countries.csv", column "code"',
      'Change to "plans.csv"',
    ]);
    expect(applyChanges(text, first?.changes ?? [])).toBe(lookupFlow('table: countries.csv, key: code'));
    expect(applyChanges(text, second?.changes ?? [])).toBe(lookupFlow('table: plans.csv, key: id'));
  });

  it('offers the columns of a table without the column of the lookup', async () => {
    const app = await startLeads();
    await writeFile(join(app.dataDir, 'workflows', 'countries.csv'), 'code,name\nAT,Austria\n');
    const text = lookupFlow('table: countries.csv, key: id');
    const [issue] = await askAboutText(app.handlers, { workflowId: 'leads', text }, 'fixes', {});
    expect(issue?.message).toContain('no record of the table countries.csv has "id"');
    expect(issue?.fixes.map(({ title }) => title)).toEqual([
      'Change to the column "code"',
      'Change to the column "name"',
    ]);
  });

  it('offers the workflows that can be called for one that is missing, without a circle', async () => {
    const app = await startTestApp({
      workflows: {
        leads: callingFlow('leads', 'other-workflow'),
        back: callingFlow('back', 'leads'),
        plain:
          'rowbench: 1\nid: plain\nnodes:\n  - { id: input, type: input }\n  - { id: r, type: output, fields: {} }\n',
      },
    });
    onTestFinished(() => app.close());
    const text = callingFlow('leads', 'other-workflow');
    const [issue] = await askAboutText(app.handlers, { workflowId: 'leads', text }, 'fixes', {});
    expect(issue?.fixes.map(({ title }) => title)).toEqual(['Change to "plain"']);
    expect(applyChanges(text, issue?.fixes[0]?.changes ?? [])).toBe(callingFlow('leads', 'plain'));
  });
});

const lookupFlow = (keys: string): string =>
  `rowbench: 1
id: leads
nodes:
  - { id: input, type: input }
  - { id: found, type: lookup, ${keys}, match: =row.id }
  - { id: r, type: output, fields: { found: =nodes.found.name } }
`;

const callingFlow = (id: string, called: string): string =>
  `rowbench: 1
id: ${id}
nodes:
  - { id: input, type: input }
  - { id: call, type: workflow, workflow: ${called}, row: =row }
  - { id: r, type: output, fields: { found: =nodes.call.x } }
`;
