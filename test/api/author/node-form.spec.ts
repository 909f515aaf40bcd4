// The form of a node in a draft's text, through the control API.
import { expect, it, onTestFinished } from 'vitest';
import { startTestApp } from '../../builders/start-test-app.ts';

const text = `rowbench: 1
id: leads
nodes:
  - { id: input, type: input }
  - { id: score, type: set, values: { host: =row.host } }
  - { id: result, type: output, fields: { host: =nodes.score.host } }
`;

it('gives the form of a node in a text that is not saved, or the line to fix first', async () => {
  const app = await startTestApp({ workflows: { leads: text } });
  onTestFinished(() => app.close());
  const formOf = (draft: string) =>
    app.handlers['author.form']({ workflowId: 'leads', text: draft, nodeId: 'score' });
  expect(await formOf(text.replace('values:', 'valus:'))).toMatchObject({
    kind: 'form',
    index: 1,
    title: 'Set values',
    unknown: [{ path: ['valus'], written: '{ host: =row.host }' }],
  });
  expect(await formOf(text.replace('nodes:', 'nodes: ['))).toMatchObject({ kind: 'broken' });
  expect(await formOf(text.replaceAll('score', 'lead'))).toEqual({ kind: 'missing' });
});
