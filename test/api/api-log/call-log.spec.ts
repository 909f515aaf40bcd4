// The API log: entries for real calls, data that it never holds, and actions on its entries.
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import type { LoggedCall } from '../../../src-main/domain/api-log/logged-call.ts';
import { headBytes } from '../../../src-main/http/call-notes.ts';
import {
  outputPath,
  sampleWorkflows,
  startTestApp,
  statusPath,
  workflowPath,
  type TestApp,
} from '../../builders/start-test-app.ts';

let app: TestApp;
afterEach(() => app.close());

const start = async (options: Partial<Parameters<typeof startTestApp>[0]> = {}): Promise<void> => {
  app = await startTestApp({ workflows: sampleWorkflows, ...options });
};

/** Calls are noted once their answers have ended, which the client may know first. */
async function logged(count: number): Promise<readonly LoggedCall[]> {
  await expect.poll(() => app.services.callLog.newest).toBe(count);
  return (await app.handlers['calls.list']({})).calls.toReversed();
}

it('notes each call with its key, run, limits, sizes and time', async () => {
  await start();
  const runId = await app.run('echo', [{ n: 1 }]);
  await app.call(statusPath('echo', runId), { headers: { 'user-agent': 'script/1.0' } });
  const [trigger, status] = await logged(2);
  expect(trigger).toMatchObject({
    number: 1,
    method: 'POST',
    path: workflowPath('echo'),
    route: 'trigger',
    workflowId: 'echo',
    runId,
    key: { name: 'test', last4: app.key.slice(-4) },
    status: 201,
    charged: [
      { limit: 'trigger', used: 1, of: 50 },
      { limit: 'trigger-per-workflow', used: 1, of: 30 },
    ],
    sentBytes: 18,
  });
  expect(status).toMatchObject({
    number: 2,
    route: 'status',
    runId,
    client: 'script/1.0',
    charged: [{ limit: 'status' }, { limit: 'status-per-run', used: 1, of: 6 }],
  });
  expect(status?.runStatus).toMatch(/queued|running|completed/);
  expect(status?.ms).toBeGreaterThanOrEqual(status?.firstByteMs ?? Infinity);
  const { content } = await app.handlers['calls.show']({ number: 1 });
  expect(content.sent).toEqual({ text: '{"rows":[{"n":1}]}', bytes: 18, isWhole: true });
  expect(JSON.parse(content.answer.text)).toMatchObject({ success: true, data: { runId } });
  expect(content.answer.bytes).toBe(trigger?.answerBytes);
});

it('notes refused calls with their reasons: 401, 403, 404, 405, 400, 429 and the guard’s', async () => {
  await start();
  const narrow = await app.createKey(['failing']);
  const path = workflowPath('echo');
  await app.call(statusPath('echo', 'x'), { key: null, headers: { authorization: `Bearer ${app.key}` } });
  await app.trigger('echo', '{}', { key: narrow });
  await app.call(statusPath('none', 'x'));
  await app.call(path, { method: 'GET' });
  await app.trigger('echo', '{"rows":1}');
  await app.call('/api/v2/nothing');
  await refusedByHost();
  for (let n = 0; n < 7; n += 1)
    await app.call(statusPath('echo', '01900000-0000-7000-8000-000000000000'), { key: narrow });
  const calls = await logged(14);
  expect(calls.slice(0, 7).map(({ status, refusal }) => [status, refusal?.code])).toEqual([
    [401, 'invalid_key'],
    [403, 'key_not_allowed'],
    [404, 'workflow_not_found'],
    [405, 'method_not_allowed'],
    [400, 'invalid_body'],
    [404, 'route_not_found'],
    [403, 'guard_refused'],
  ]);
  expect(calls[0]?.keyLocation).toEqual({ elsewhere: 'authorization' });
  const kinds = (await app.handlers['calls.advice']({})).map(({ kind }) => kind);
  expect(kinds).toEqual(
    expect.arrayContaining([
      'key-place',
      'key-scope',
      'workflow-unknown',
      'method-wrong',
      'path-unknown',
      'guard',
    ]),
  );
});

const refusedByHost = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const headers = { host: 'evil.example' };
    request({ host: '127.0.0.1', port: app.port, path: workflowPath('echo'), headers }, (response) => {
      response.resume().once('end', resolve);
    })
      .once('error', reject)
      .end();
  });

it('meters each limit, and names the one that refused', async () => {
  await start();
  const runId = await app.run('waiting', [{ n: 1 }]);
  for (let n = 0; n < 7; n += 1) await app.call(statusPath('waiting', runId));
  const calls = await logged(8);
  expect(calls.at(-1)).toMatchObject({ status: 429, charged: [], refusal: { limit: 'status-per-run' } });
  // The refused client was told nothing about the run.
  expect(calls.map(({ runStatus }) => runStatus !== undefined).slice(-2)).toEqual([true, false]);
  const { meters, mode } = await app.handlers['limits.show']({});
  expect(mode).toBe('published');
  expect(meters[0]).toMatchObject({ limit: 'status-per-run', subjectId: runId, used: 6, of: 6 });
  expect(meters[0]?.allFreeMs).toBeGreaterThan(50_000);
  expect(meters.find(({ limit }) => limit === 'status')).toMatchObject({
    used: 6,
    subject: `test …${app.key.slice(-4)}`,
  });
  const [advice] = await app.handlers['calls.advice']({});
  expect(advice).toMatchObject({ kind: 'over-limit', safeMs: 10_000 });
});

it('holds no key and no hash of one, wherever the client had put it', async () => {
  const settings = { extraKeyHeader: 'x-acme' };
  await start({ settings });
  const half = app.key.slice(0, 20);
  const body = `{"rows":[{"k":"${app.key}"}],"x":"${'y'.repeat(headBytes - app.key.length - 60)}`;
  await app.trigger('echo', `${body}${app.key}"}`);
  await app.call(`${statusPath('echo', app.key)}?key=${app.key}`, {
    key: null,
    headers: { 'x-acme': app.key, authorization: `Bearer ${app.key}`, 'user-agent': `me ${app.key}` },
  });
  await app.call(statusPath('echo', 'x'), { headers: { cookie: `a=${app.key}` } });
  const calls = await logged(3);
  const shown = await Promise.all(calls.map(({ number }) => app.handlers['calls.show']({ number })));
  const har = await app.handlers['calls.har']({ numbers: [1, 2, 3] });
  const hashes = app.services.keys.list().map(({ hash }) => hash);
  for (const secret of [half, ...hashes]) expect(JSON.stringify([calls, shown, har])).not.toContain(secret);
});

it('keeps the beginning of long bodies, and says so', async () => {
  await start();
  const runId = await app.run('echo', [{ text: 'é'.repeat(20_000) }]);
  await expect
    .poll(async () => (await app.handlers['run.show']({ runId })).status, { timeout: 15_000 })
    .toBe('completed');
  const answer = await app.call(outputPath('echo', runId));
  expect(answer.status).toBe(200);
  const [trigger, output] = await logged(2);
  const { content, noReplay } = await app.handlers['calls.show']({ number: trigger?.number ?? 0 });
  expect(content.sent.isWhole).toBe(false);
  expect(content.sent.text).not.toContain('\u{fffd}');
  expect(Buffer.byteLength(content.sent.text)).toBeLessThanOrEqual(headBytes);
  expect(trigger?.sentBytes).toBeGreaterThan(40_000);
  expect(noReplay).toContain('not kept whole');
  await expect(app.handlers['calls.replay']({ number: 1 })).rejects.toThrow('cannot be repeated');
  expect(output?.answerBytes).toBeGreaterThan(40_000);
});

it('makes a call again in the name of its key, through the same checks and limits', async () => {
  await start();
  await app.run('echo', [{ n: 1 }]);
  const { number } = await app.handlers['calls.replay']({ number: 1 });
  const calls = await logged(2);
  expect(calls[1]).toMatchObject({
    number,
    status: 201,
    replayOf: 1,
    key: { name: 'test' },
    charged: [
      { limit: 'trigger', used: 2 },
      { limit: 'trigger-per-workflow', used: 2 },
    ],
  });
  expect(calls[1]?.runId).not.toBe(calls[0]?.runId);
  const key = app.services.keys.list().find(({ name }) => name === 'test');
  await app.services.keys.revoke(key?.id ?? '');
  const again = await app.handlers['calls.replay']({ number: 1 });
  expect((await logged(3))[2]).toMatchObject({ number: again.number, status: 401 });
});

it('takes a pass of its own making for nothing but the one call', async () => {
  await start();
  const key = app.services.keys.list()[0];
  const pass = app.services.replayTokens.issue({ keyId: key?.id, replayOf: 1 });
  const call = () =>
    app.call(statusPath('echo', 'x'), { key: null, headers: { 'x-rowbench-replay': pass.text } });
  expect((await call()).status).toBe(404);
  expect((await call()).status).toBe(401);
  const forged = await app.call(statusPath('echo', 'x'), {
    key: null,
    headers: { 'x-rowbench-replay': 'f'.repeat(64) },
  });
  expect(forged.status).toBe(401);
  expect(JSON.stringify(await app.handlers['calls.show']({ number: 1 }))).not.toContain(pass.text);
});

it('notes a client that left before the answer had ended', async () => {
  await start();
  const socket = connect(app.port, '127.0.0.1');
  socket.write(
    `POST ${workflowPath('echo')} HTTP/1.1\r\nHost: 127.0.0.1:${app.port}\r\nx-service-key: ${app.key}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"rows":[`,
  );
  await expect.poll(() => app.services.limits.meters()).not.toEqual([]);
  socket.destroy();
  const [call] = await logged(1);
  expect(call).toMatchObject({ isCut: true, sentBytes: 100 });
});

it('tells watching pages the newest number, and nothing else', async () => {
  await start();
  const heard: number[] = [];
  app.services.callLog.events.listen((number) => heard.push(number));
  await app.call('/openapi.json');
  await logged(1);
  expect(heard).toEqual([1]);
  expect((await app.handlers['calls.list']({ after: 1 })).calls).toEqual([]);
});

it('an answer goes out byte for byte as it would without a log', async () => {
  await start();
  const rows = Array.from({ length: 3_000 }, (_, n) => ({ n, text: `é${n}` }));
  const runId = await app.run('echo', rows);
  await expect
    .poll(async () => (await app.handlers['run.show']({ runId })).status, { timeout: 15_000 })
    .toBe('completed');
  const { body } = await app.call(outputPath('echo', runId));
  expect(
    Object.values((body as { data: Record<string, { row: unknown }> }).data).map(({ row }) => row),
  ).toEqual(rows);
});
