import { describe, expect, it, onTestFinished } from 'vitest';
import type { KeyTest } from '../../../src-main/contract/index.ts';
import { newRunId } from '../../../src-main/http/public-api/rehearse-call.ts';
import { sampleWorkflows, startTestApp, statusPath } from '../../builders/start-test-app.ts';

type Options = Partial<Parameters<typeof startTestApp>[0]>;

async function start(options: Options = {}) {
  const { echo, broken } = sampleWorkflows;
  const app = await startTestApp({ workflows: { echo, broken }, ...options });
  onTestFinished(() => app.close());
  const test = (input: Partial<KeyTest>) =>
    app.handlers['key.test']({ key: app.key, workflowId: 'echo', ...input });
  /** Status and body that the public API itself answers to the same call. */
  const real = async ({ key = app.key, workflowId = 'echo' }: Partial<KeyTest>) => {
    const { status, body } = await app.trigger(workflowId, '{"rows":[{}]}', { key });
    return { status, body };
  };
  return { ...app, test, real };
}

describe('a key that is tried out', () => {
  it('is answered as the interface answers it, word for word', async () => {
    const app = await start({ limits: 'off' });
    const scoped = await app.createKey(['broken']);
    const { key: revoked, secret } = await app.handlers['key.create']({ name: 'old', workflows: null });
    await app.handlers['key.revoke']({ id: revoked.id });
    const calls: readonly (readonly [Partial<KeyTest>, number])[] = [
      [{ key: 'rbk_nothing' }, 401],
      [{ key: secret }, 401],
      [{ key: scoped }, 403],
      [{ workflowId: 'ecko' }, 404],
      [{ workflowId: 'no id!' }, 404],
      [{ workflowId: 'broken' }, 422],
    ];
    for (const [call, status] of calls) {
      const tested = await app.test(call);
      const answer = await app.real({ ...call, workflowId: encodeURIComponent(call.workflowId ?? 'echo') });
      expect({ status: tested.status, body: JSON.parse(tested.body) as unknown }).toEqual(answer);
      expect(answer.status).toBe(status);
    }
  });

  it('starts no run, charges no limit and counts no use', async () => {
    const app = await start();
    for (let n = 0; n < 40; n += 1) {
      const { status, body } = await app.test({});
      expect([status, JSON.parse(body)]).toEqual([
        201,
        { success: true, data: { workflowId: 'echo', runId: newRunId, status: 'queued' } },
      ]);
    }
    expect(await app.storedRuns()).toEqual([]);
    expect(app.services.keys.list()[0]).toMatchObject({ calls: 0, lastUsedAt: null });
    expect((await app.real({})).status).toBe(201);
  });

  it('says that a limit is used up, and how long to wait', async () => {
    const app = await start();
    let answer = await app.real({});
    for (let n = 0; answer.status === 201 && n < 100; n += 1) answer = await app.real({});
    const tested = await app.test({});
    expect(tested).toMatchObject({ status: 429, refusal: 'rate_limited' });
    expect(tested.retryAfterSeconds).toBeGreaterThan(0);
  });

  it('may ask for a run that there is', async () => {
    const app = await start({ limits: 'off' });
    const runId = await app.run('echo', [{ n: 1 }]);
    await expect
      .poll(async () => JSON.parse((await app.test({ runId })).body) as unknown)
      .toMatchObject({ data: { status: 'completed' } });
    const tested = await app.test({ runId });
    expect(JSON.parse(tested.body)).toEqual((await app.call(statusPath('echo', runId))).body);
    expect(await app.test({ runId: 'x' })).toMatchObject({ status: 404, refusal: 'run_not_found' });
  });

  it('learns which key it is, what it opens, and what was likely meant', async () => {
    const app = await start();
    const scoped = await app.createKey(['broken']);
    expect((await app.test({ key: scoped })).key).toEqual({
      name: 'test',
      workflows: ['broken'],
      revokedAt: null,
    });
    expect((await app.test({ key: ` ${scoped}\n` })).meant).toEqual({ isKeyWithoutBlanks: true });
    expect((await app.test({ workflowId: 'ecko' })).meant).toEqual({ workflowId: 'echo' });
    expect((await app.test({ key: 'rbk_nothing' })).meant).toBeUndefined();
    expect((await app.test({ workflowId: 'broken' })).problems).toEqual([
      expect.stringContaining('There is no node "missing"'),
    ]);
  });

  it('is never logged', async () => {
    const lines: unknown[] = [];
    const keep = (...said: unknown[]): void => void lines.push(said);
    const log = { debug: keep, info: keep, warn: keep, error: keep };
    const app = await start({ log });
    await app.test({ key: 'rbk_a-key-of-somebody' });
    await app.test({});
    expect(JSON.stringify(lines)).not.toMatch(/somebody/);
    expect(JSON.stringify(lines)).not.toContain(app.key);
  });
});
