// The form of a node in a draft's text, through the control API.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { askAboutText } from '../../builders/editor-window.ts';
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
    askAboutText(app.handlers, { workflowId: 'leads', text: draft }, 'form', { nodeId: 'score' });
  expect(await formOf(text.replace('values:', 'valus:'))).toMatchObject({
    kind: 'form',
    path: ['nodes', 1],
    title: 'Set values',
    unknown: [{ path: ['valus'], written: '{ host: =row.host }' }],
  });
  expect(await formOf(text.replace('nodes:', 'nodes: ['))).toMatchObject({ kind: 'broken' });
  expect(await formOf(text.replaceAll('score', 'lead'))).toEqual({ kind: 'missing' });
});

it('knows the other workflows, the secrets with their hosts, and the tables with their columns', async () => {
  const app = await startTestApp({
    workflows: { leads: text, other: text.replace('id: leads', 'id: other') },
  });
  onTestFinished(() => app.close());
  await app.handlers['secret.set']({ name: 'CRM_TOKEN', hosts: ['api.example.com'], value: 'hidden' });
  await writeFile(join(app.dataDir, 'workflows', 'codes.csv'), 'code,label\n1,One\n');
  expect(await askAboutText(app.handlers, { workflowId: 'leads', text }, 'names', {})).toEqual({
    workflowIds: ['other'],
    secrets: [{ name: 'CRM_TOKEN', hosts: ['api.example.com'] }],
    tables: [{ path: 'codes.csv', columns: ['code', 'label'] }],
    profiles: [],
  });
});
