// "Save as test" of the app: a test beside the workflow, answered by what was recorded there.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Role } from '../../../src-main/domain/access/role.ts';
import type { RunMode } from '../../../src-main/domain/run/run-mode.ts';
import { runCli } from '../../builders/run-cli.ts';
import { startTestApp } from '../../builders/start-test-app.ts';
import { json, startUpstream } from '../../builders/upstream-server.ts';

const secret = 'hush-hush-4711';

async function companies() {
  const upstream = await startUpstream({
    '/acme': (call, response) => json({ size: 10, echo: call.headers.authorization })(call, response),
  });
  const text = `rowbench: 1
id: companies
nodes:
  - { id: input, type: input }
  - id: company
    type: http
    request: { url: "${upstream.url('')}/{{ row.name }}" }
    auth: { secret: TOKEN }
  - { id: result, type: output, fields: { size: =nodes.company.body.size } }
`;
  const app = await startTestApp({ workflows: { companies: text } });
  onTestFinished(() => app.close());
  const { services, handlers, dataDir } = app;
  await services.trust.grant('companies', { allow: ['loopback'], deny: [] });
  await services.secrets.set({ name: 'TOKEN', value: secret, hosts: [`127.0.0.1:${upstream.port}`] });
  const run = async (mode: RunMode): Promise<string> => {
    const workflow = await services.workflows.find('companies');
    if (workflow === undefined) throw new Error('no workflow');
    const draft = await services.runs.beginRun({ workflow, origin: { kind: 'app' }, inputs: { mode } });
    await draft.write(Buffer.from('{"name":"acme"}\n'));
    const { runId } = await draft.accept(1);
    await expect.poll(async () => (await services.runs.get(runId)).run.status).toBe('completed');
    return runId;
  };
  const flows = join(dataDir, 'workflows');
  return { app, upstream, handlers, run, flows, dataDir };
}

it('a recorded run becomes a test that passes, in the app and from the command line', async () => {
  const { handlers, run, flows, upstream, dataDir } = await companies();
  const runId = await run('record');
  const before = await handlers['run.fixture']({ runId });
  expect(before.newTest).toEqual({ name: `row 1 of run ${runId.slice(-8)}` });
  const saved = await handlers['run.saveTest']({ runId });
  expect(saved).toMatchObject({
    file: join(flows, 'companies.tests.yaml'),
    name: `row 1 of run ${runId.slice(-8)}`,
    rows: 1,
    result: { status: 'passed' },
  });
  expect(saved.missingCassette).toBeUndefined();
  const { newTest } = await handlers['run.fixture']({ runId });
  expect(newTest).toEqual({
    name: `${saved.name} (2)`,
    sameTest: { file: 'companies.tests.yaml', name: saved.name, line: 3 },
  });
  expect(await handlers['workflow.runTests']({ workflowId: 'companies' })).toMatchObject({
    passed: 1,
    failed: 0,
  });
  const { code, stdout } = await runCli(['test', '.'], { cwd: flows });
  expect([code, stdout]).toEqual([0, 'ok    companies.tests.yaml (1 test)\n']);
  expect(upstream.calls).toHaveLength(1);
  expect((await readdir(flows)).filter((name) => name.includes('cassette'))).toEqual([
    'companies.cassette.json',
  ]);
  const cassette = await readFile(join(flows, 'companies.cassette.json'), 'utf8');
  expect(cassette).not.toContain(secret);
  expect(cassette).toContain('[secret TOKEN]');
  expect(await readdir(join(dataDir, 'cassettes'))).toEqual([]);
});

it('the data of a run is there for whom may save no test, and where no tests can be read', async () => {
  const { handlers, run, flows } = await companies();
  const runId = await run('record');
  const callerOf = (role: Role) => ({ tokenId: '1', name: 'ada', role });
  expect((await handlers['run.fixture']({ runId }, callerOf('admin'))).newTest).toBeDefined();
  expect(await handlers['run.fixture']({ runId }, callerOf('operator'))).not.toHaveProperty('newTest');
  await mkdir(join(flows, 'companies.tests.yaml'));
  const fixture = await handlers['run.fixture']({ runId });
  expect(fixture.rows).toMatchObject([{ row: 1, input: '{"name":"acme"}' }]);
  expect(fixture).not.toHaveProperty('newTest');
});

it('a live run becomes a test that names the recording it needs, and passes once there is one', async () => {
  const { handlers, run } = await companies();
  const saved = await handlers['run.saveTest']({ runId: await run('live') });
  expect(saved).toMatchObject({ missingCassette: 'companies.cassette.json' });
  expect(saved.result).toBeUndefined();
  await run('record');
  expect(await handlers['workflow.runTests']({ workflowId: 'companies' })).toMatchObject({ passed: 1 });
});

it('a test of chosen fields expects values or types, under its own name', async () => {
  const { handlers, run, flows } = await companies();
  const runId = await run('record');
  const choice = { runId, name: 'sizes', fields: { values: [], types: ['size'] } };
  expect((await handlers['run.saveTest'](choice)).result).toMatchObject({ status: 'passed' });
  expect(await readFile(join(flows, 'companies.tests.yaml'), 'utf8')).toContain(
    '    expect:\n      status: completed\n      fields:\n        size:\n          schema:\n            type: number\n',
  );
  await expect(handlers['run.saveTest'](choice)).rejects.toThrow('has a test of the name "sizes" already');
});

it('a recording of an earlier version, in the data folder, answers replays and tests', async () => {
  const { handlers, run, flows, dataDir, upstream } = await companies();
  await mkdir(join(dataDir, 'cassettes'), { recursive: true });
  const entries = [
    {
      request: { method: 'GET', url: upstream.url('/acme') },
      responses: [{ status: 200, json: { size: 7 } }],
    },
  ];
  await writeFile(join(dataDir, 'cassettes/companies.json'), JSON.stringify({ rowbench: 1, entries }));
  const saved = await handlers['run.saveTest']({ runId: await run('replay') });
  expect(saved.result).toMatchObject({ status: 'passed' });
  const { code } = await runCli(['test', '.'], { cwd: flows, env: { ROWBENCH_DATA: dataDir } });
  expect([code, upstream.calls.length]).toEqual([0, 0]);
});
