// Edits of a draft's text by its nodes, through the control API.
import { expect, it, onTestFinished } from 'vitest';
import { applyChanges, type WorkflowEdit } from '../../../src-main/contract/index.ts';
import { askAbout, askAboutText, fileWith } from '../../builders/editor-window.ts';
import { startTestApp } from '../../builders/start-test-app.ts';

const text = `rowbench: 1
id: leads
nodes:
  - { id: input, type: input }   # rows of the form
  - { id: score, type: set, values: { host: =row.host } }
  - { id: result, type: output, fields: { host: =nodes.score.host } }
`;

async function edited(...edits: WorkflowEdit[]) {
  const app = await startTestApp({ workflows: { leads: text } });
  onTestFinished(() => app.close());
  return askAboutText(app.handlers, { workflowId: 'leads', text }, 'edit', { edits });
}

it('makes several edits of a text that is not saved, as ranges', async () => {
  const { changes = [] } = await edited(
    { kind: 'renameNode', id: 'score', newId: 'lead' },
    { kind: 'addNode', node: { id: 'more', type: 'set', values: { a: 1 } }, index: 2 },
  );
  expect(applyChanges(text, changes)).toBe(`rowbench: 1
id: leads
nodes:
  - { id: input, type: input }   # rows of the form
  - { id: lead, type: set, values: { host: =row.host } }
  - { id: more, type: set, values: { a: 1 } }
  - { id: result, type: output, fields: { host: =nodes.lead.host } }
`);
});

it('says why it refuses, and makes none of the edits', async () => {
  expect(
    await edited({ kind: 'moveNode', id: 'score', to: 0 }, { kind: 'deleteNodes', ids: ['score'] }),
  ).toEqual({
    refusal: {
      reason: 'Other nodes read it: result',
      line: 4,
      reads: [{ id: 'result', field: 'fields.host', line: 6 }],
    },
  });
});

it('finds the fields of a connection, and renames a node in all files of the workflow', async () => {
  const app = await startTestApp({ workflows: { leads: text } });
  onTestFinished(() => app.close());
  const ids = { from: 'input', to: 'score' };
  const { fields } = await askAboutText(app.handlers, { workflowId: 'leads', text }, 'connections', ids);
  expect(fields).toContainEqual({
    ...{ field: ['values', 'host'], name: 'values.host', before: '=row.host', after: '=nodes.input' },
  });
  const tests = 'tests:\n  - name: one\n    mocks: { score: x }\n';
  const files = [
    { name: 'leads.workflow.yaml', text },
    { name: 'leads.tests.yaml', text: tests },
    { name: 'leads.cassette.json', text: '{"entries": []}' },
  ];
  const rename = (renamedFiles: typeof files) =>
    askAbout(
      app.handlers,
      'leads',
      renamedFiles.map((file) => fileWith(file.name, file.text)),
      'renameNode',
      { id: 'score', newId: 'lead' },
    );
  const renamed = await rename(files);
  const after = (renamed?.refusal === undefined ? (renamed?.files ?? []) : []).map(({ name, changes }) =>
    applyChanges(files.find((file) => file.name === name)?.text ?? '', changes),
  );
  expect(after).toEqual([text.replaceAll('score', 'lead'), tests.replace('score', 'lead')]);
  const broken = files.with(1, { name: 'leads.tests.yaml', text: 'tests: [score' });
  const refused = await rename(broken);
  expect(refused?.refusal).toMatchObject({ name: 'leads.tests.yaml', line: 1 });
});
