// Sections 5 and 7 of the interface: keys, every error with its exact message, and the order in which a call is
// judged: key 401, operation limit 429, workflow 404, scope 403, run 404, resource limit 429, body 400.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FakeClock } from '../../builders/fake-clock.ts';
import { RawConnection, rawCall } from '../../builders/raw-http.ts';
import {
  failure,
  outputPath,
  sampleWorkflows,
  startTestApp,
  statusPath,
  workflowPath,
  type Reply,
  type TestApp,
} from '../../builders/start-test-app.ts';

const unknownRun = '0197a0c2-0000-7000-8000-0123456789ab';

let app: TestApp;
let echoOnly: string;
let runId: string;

beforeAll(async () => {
  app = await startTestApp({
    workflows: sampleWorkflows,
    clock: new FakeClock(),
    limits: 'off',
    settings: { extraKeyHeader: 'x-deployed-key' },
  });
  echoOnly = await app.createKey(['echo']);
  runId = await app.run('echo', [{}]);
});

afterAll(() => app.close());

/** The three operations on a workflow, the last two on a run of it. */
const operations = {
  trigger: (workflowId: string, key: string | null) => app.trigger(workflowId, '{"rows":[]}', { key }),
  status: (workflowId: string, key: string | null, run = unknownRun) =>
    app.call(statusPath(workflowId, run), { key }),
  output: (workflowId: string, key: string | null, run = unknownRun) =>
    app.call(outputPath(workflowId, run), { key }),
};
const names = ['trigger', 'status', 'output'] as const;

function expectError(reply: Reply, status: number, message: string): void {
  expect(reply.status).toBe(status);
  expect(reply.body).toEqual(failure(message));
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
}

describe.each(names)('%s', (name) => {
  it('without a valid key is 401, whatever it addresses', async () => {
    for (const workflowId of ['echo', 'no-such']) {
      expectError(await operations[name](workflowId, null), 401, 'Invalid API key');
      expectError(await operations[name](workflowId, 'rbk_wrong'), 401, 'Invalid API key');
    }
  });

  it('on an unknown workflow is 404, before the scope of the key', async () => {
    for (const workflowId of ['no-such', 'a'.repeat(65), '%E0%A4%A', '%2e%2e%2fecho', '__proto__']) {
      expectError(await operations[name](workflowId, echoOnly), 404, 'Workflow not found');
    }
  });

  it('on a workflow that the key does not open is 403, before run and body', async () => {
    const reply = await operations[name]('waiting', echoOnly);
    expectError(reply, 403, 'API key does not have access to this workflow');
  });
});

describe.each(['status', 'output'] as const)('%s', (name) => {
  it('of an unknown run is 404', async () => {
    for (const run of [
      unknownRun,
      'x',
      '..%2f..%2fkeys.json',
      'a'.repeat(5000),
      '%00',
      unknownRun.toUpperCase(),
    ]) {
      expectError(await operations[name]('echo', app.key, run), 404, 'Workflow run not found');
    }
  });

  it('of a run of another workflow is 404', async () => {
    expectError(await operations[name]('waiting', app.key, runId), 404, 'Workflow run not found');
    expect((await operations.status('echo', app.key, runId)).status).toBe(200);
  });
});

describe('a key', () => {
  const status = (headers: Record<string, string>, path = statusPath('echo', runId)): Promise<Reply> =>
    app.call(path, { key: null, headers });

  it('opens what it was made for', async () => {
    expect((await status({ 'x-service-key': echoOnly })).status).toBe(200);
    expect((await status({ 'X-SERVICE-KEY': app.key })).status).toBe(200);
  });

  it("may come in the deployed service's own header", async () => {
    expect((await status({ 'x-deployed-key': app.key })).status).toBe(200);
    expectError(
      await status({ 'x-deployed-key': app.key, 'x-service-key': app.key }),
      401,
      'Invalid API key',
    );
  });

  it.each([
    ['empty', () => ''],
    ['lower-cased', () => app.key.toLowerCase()],
    ['one byte short', () => app.key.slice(0, -1)],
    ['one byte long', () => `${app.key}a`],
    ['twice in one header', () => `${app.key}, ${app.key}`],
    ['10 KB long', () => 'a'.repeat(10_000)],
    ['a bearer', () => `Bearer ${app.key}`],
  ])('that is %s is 401', async (_, key) => {
    expectError(await status({ 'x-service-key': key() }), 401, 'Invalid API key');
  });

  it.each([
    ['in another header', () => [`Authorization: Bearer ${app.key}`]],
    ['sent twice', () => [`x-service-key: ${app.key}`, `X-Service-Key: ${app.key}`]],
    ['not ASCII', () => ['x-service-key: rbk_\xff\xfe']],
    ['a control token', () => ['x-rowbench-token: abc']],
  ])('that is %s is 401 on the wire', async (_, lines) => {
    const head = [
      `GET ${statusPath('echo', runId)} HTTP/1.1`,
      `Host: 127.0.0.1:${app.port}`,
      ...lines(),
      '\r\n',
    ];
    const answer = await rawCall(app.port, head.join('\r\n'));
    expect(answer?.status).toBe(401);
    expect(JSON.parse(answer?.body ?? '')).toEqual(failure('Invalid API key'));
  });

  it('in the query is 401', async () => {
    expectError(
      await status({}, `${statusPath('echo', runId)}?x-service-key=${app.key}`),
      401,
      'Invalid API key',
    );
  });

  it('that was revoked is 401 from the next call on', async () => {
    const { key, secret } = await app.services.keys.create({ name: 'short', workflows: null });
    expect((await status({ 'x-service-key': secret })).status).toBe(200);
    await app.services.keys.revoke(key.id);
    expectError(await status({ 'x-service-key': secret }), 401, 'Invalid API key');
  });
});

describe('a large upload that is refused', () => {
  it.each([
    [401, 'echo', () => 'rbk_wrong'],
    [404, 'no-such', () => app.key],
    [403, 'waiting', () => echoOnly],
  ])('gets its %d at once, unread, and loses its connection', async (status, workflowId, key) => {
    const connection = await RawConnection.open(app.port);
    connection.send(
      [
        `POST ${workflowPath(workflowId)} HTTP/1.1`,
        `Host: 127.0.0.1:${app.port}`,
        `x-service-key: ${key()}`,
        'Content-Type: application/json',
        'Content-Length: 1000000000',
        'Expect: 100-continue',
        '\r\n',
      ].join('\r\n'),
    );
    expect(await connection.answer()).toMatchObject({ status, headers: { connection: 'close' } });
    connection.cut();
  });
});

describe('paths and methods', () => {
  it.each([
    ['DELETE', 'POST', () => workflowPath('echo')],
    ['GET', 'POST', () => workflowPath('echo')],
    ['PUT', 'GET', () => statusPath('echo', runId)],
    ['PATCH', 'GET', () => outputPath('echo', runId)],
    ['POST', 'GET', () => statusPath('echo', runId)],
    ['OPTIONS', 'GET', () => statusPath('echo', runId)],
  ])('%s is 405 where only %s is known', async (method, allowed, path) => {
    const reply = await app.call(path(), { method });
    expectError(reply, 405, `Method not allowed. Allowed: ${allowed}`);
    expect(reply.headers.get('allow')).toBe(allowed);
    const cors = [...reply.headers.keys()].filter((name) => name.startsWith('access-control-'));
    expect(cors).toEqual([]);
  });

  it('HEAD is 405 without a body, TRACE is 405 with one', async () => {
    const head = await app.call(statusPath('echo', runId), { method: 'HEAD' });
    expect([head.status, head.body, head.headers.get('allow')]).toEqual([405, undefined, 'GET']);
    const trace = `TRACE ${statusPath('echo', runId)} HTTP/1.1\r\nHost: 127.0.0.1:${app.port}\r\n\r\n`;
    expect((await rawCall(app.port, trace))?.status).toBe(405);
  });

  it('a path may be escaped where it names something, and nowhere else', async () => {
    const path = statusPath('echo', runId);
    const headers = { 'x-service-key': app.key };
    expect((await app.call(path.replace('echo', '%65cho'), { headers })).status).toBe(200);
    expect((await app.call(path.replace('/async/', '/%61sync/'), { headers })).status).toBe(404);
  });

  it.each([
    '/',
    '/api/v1',
    '/api/v1/workflows/echo',
    '/API/V1/workflows/echo/runs/async',
    '/api/v1/workflows/echo/runs/async/',
    '/api//v1/workflows/echo/runs/async',
    '/api/v2/workflows/echo/runs/async',
    '/_rowbench',
  ])('%s is 404', async (path) => {
    expectError(await app.call(path, { method: 'POST' }), 404, 'Not found');
  });
});

describe('the description', () => {
  it('needs no key', async () => {
    expect((await app.call('/openapi.json', { key: null })).status).toBe(200);
  });
});
