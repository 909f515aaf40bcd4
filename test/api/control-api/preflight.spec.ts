import { expect, it, onTestFinished } from 'vitest';
import { startTestApp } from '../../builders/start-test-app.ts';

const calling = `rowbench: 1
id: calling
nodes:
  - { id: input, type: input }
  - id: call
    type: http
    request: { url: http://127.0.0.1:9/x }
    auth: { secret: CRM_TOKEN }
  - { id: result, type: output, fields: { status: =nodes.call.status } }
`;
const outer = `rowbench: 1
id: outer
nodes:
  - { id: input, type: input }
  - { id: inner, type: workflow, workflow: calling, row: { a: 1 } }
  - { id: result, type: output, fields: { a: =nodes.inner } }
`;
const lacking = `rowbench: 1
id: lacking
nodes:
  - { id: input, type: input }
  - { id: found, type: lookup, table: gone.csv, key: a, match: =row.a }
  - { id: result, type: output, fields: { a: =nodes.found } }
`;

it('a workflow says what its runs lack, also in workflows that it calls, until it is there', async () => {
  const app = await startTestApp({ workflows: { calling, outer, lacking } });
  onTestFinished(() => app.close());
  const preflight = (workflowId: string) => app.handlers['workflow.preflight']({ workflowId });
  const problems = [
    { kind: 'secret-missing', secret: 'CRM_TOKEN', hosts: ['127.0.0.1:9'] },
    { kind: 'network', workflowId: 'calling', network: 'loopback', origins: ['http://127.0.0.1:9'] },
  ];
  expect(await preflight('calling')).toEqual(problems);
  expect(await preflight('outer')).toEqual(problems);
  await app.handlers['secret.set']({ name: 'CRM_TOKEN', value: 'a-long-value', hosts: ['127.0.0.1:9'] });
  await app.handlers['workflow.grant']({ workflowId: 'calling', allow: ['loopback'] });
  expect(await preflight('calling')).toEqual([]);
  expect(await preflight('outer')).toEqual([]);
  expect(await preflight('lacking')).toEqual([
    { kind: 'source', message: expect.stringContaining('gone.csv') as string, line: 5 },
  ]);
});
