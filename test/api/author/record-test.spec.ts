// Recording a test of a draft: the calls are made once, for this test alone, and the answers are in its cassette.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fileWith } from '../../builders/editor-window.ts';
import { startTestApp } from '../../builders/start-test-app.ts';
import { json, startUpstream } from '../../builders/upstream-server.ts';

const flow = (url: string): string => `rowbench: 1
id: flow
nodes:
  - { id: input, type: input, testRows: [{ name: acme }] }
  - { id: ask, type: http, request: { url: "${url}/ask/{{ row.name }}" }, mock: { small: { status: 200, headers: {}, body: { size: 1 } } } }
  - { id: result, type: output, fields: { size: =nodes.ask.body.size } }
`;
const scorer = (url: string): string => `rowbench: 1
id: judge
nodes:
  - { id: input, type: input, testRows: [{ output: { size: 1 } }] }
  - { id: ask, type: http, request: { url: "${url}/judge/{{ row.output.size }}" } }
  - { id: result, type: output, fields: { score: =nodes.ask.body.size } }
`;
const tests = `rowbench: 1
tests:
  - name: acme has a size
    rows: [{ name: acme }]
    cassette: flow.cassette.json
    expect: { status: completed, rows: [{ size: 10 }] }
  - name: bolt has another
    rows: [{ name: bolt }]
    cassette: flow.cassette.json
    expect: { status: completed, rows: [{ size: 10 }] }
  - name: a mock calls nothing
    rows: [{ name: acme }]
    mocks: { ask: small }
    cassette: mocked.cassette.json
    expect: { status: completed }
  - name: judged
    rows: [{ name: acme }]
    mocks: { ask: small }
    cassette: judged.cassette.json
    expect: { status: completed, score: { workflow: judge, atLeast: 5 } }
`;

/** An app with both workflows, whose calls are not allowed yet. */
async function open() {
  const sized = json({ size: 10 });
  const routes = { '/ask/acme': sized, '/ask/bolt': sized, '/judge/1': sized };
  const upstream = await startUpstream(routes);
  const url = upstream.url('');
  const app = await startTestApp({ workflows: { flow: flow(url), judge: scorer(url) } });
  onTestFinished(() => app.close());
  let windows = 0;
  /** Records the test in that line, as a new window with this text of the tests does. */
  const record = async (line: number, text = tests) => {
    windows += 1;
    const window = { workflowId: 'flow', editor: `window ${windows}`, version: 1 };
    const files = [fileWith('flow.workflow.yaml', flow(url)), fileWith('flow.tests.yaml', text)];
    await app.handlers['author.change']({ ...window, base: null, files });
    return app.handlers['author.record']({ ...window, test: { name: 'flow.tests.yaml', line } });
  };
  const allow = (id: string) => app.services.trust.grant(id, { allow: ['loopback'], deny: [] });
  const inFolder = (name: string): string => join(app.dataDir, 'workflows', name);
  return { upstream, app, record, allow, inFolder };
}

describe('recording a test of a draft', () => {
  it('makes no call before the network is allowed, and then only those of the test', async () => {
    const { upstream, app, record, allow, inFolder } = await open();
    const network = { kind: 'network', workflowId: 'flow', network: 'loopback', origins: [upstream.url('')] };
    expect(await record(3)).toEqual({ needs: [network] });
    expect(upstream.calls).toEqual([]);

    await allow('flow');
    expect(await record(3)).toMatchObject({
      result: { name: 'acme has a size', status: 'passed' },
      cassette: 'flow.cassette.json',
      calls: 1,
      differingRequests: 0,
    });
    expect(upstream.calls.map(({ path }) => path)).toEqual(['/ask/acme']);
    expect(await readFile(inFolder('flow.cassette.json'), 'utf8')).toContain('/ask/acme');
    await writeFile(inFolder('flow.tests.yaml'), tests);
    const ran = await app.handlers['workflow.runTests']({ workflowId: 'flow' });
    expect(ran.files[0]?.results.map(({ status }) => status)).toEqual([
      'passed',
      'broken',
      'broken',
      'broken',
    ]);
    expect(JSON.stringify(ran)).not.toContain('rowbench test');
  });

  it('needs nothing for a node that a mock answers, and says that a cassette is missing', async () => {
    const { upstream, record } = await open();
    expect(await record(11)).toMatchObject({ result: { status: 'passed' }, calls: 0 });
    expect(upstream.calls).toEqual([]);
    await expect(record(11, tests.replace(/ +cassette: mocked.*\n/, ''))).rejects.toThrow(
      'The test "a mock calls nothing" names no cassette',
    );
    await expect(record(4)).rejects.toThrow('There is no test in line 4 of flow.tests.yaml');
  });

  it('records the answers of the workflow that scores its rows', async () => {
    const { record, allow, inFolder } = await open();
    await allow('flow');
    expect(await record(16)).toMatchObject({ needs: [{ kind: 'network', workflowId: 'judge' }] });
    await allow('judge');
    expect(await record(16)).toMatchObject({ result: { status: 'passed' }, calls: 1 });
    expect(await readFile(inFolder('judged.cassette.json'), 'utf8')).toContain('/judge/1');
  });

  it('names a call that got no answer', async () => {
    const { upstream, record, allow } = await open();
    await allow('flow');
    await upstream.close();
    const recorded = await record(7);
    expect(recorded).toMatchObject({ result: { status: 'broken' }, calls: 0 });
    expect(JSON.stringify(recorded)).toContain('got no answer that could be recorded');
  });
});
