// Section 8 of the interface: the five limits, with the exact time to wait.
import { afterEach, describe, expect, it } from 'vitest';
import type { LimitMode } from '../../../src-main/domain/settings.ts';
import { FakeClock } from '../../builders/fake-clock.ts';
import {
  failure,
  outputPath,
  sampleWorkflows,
  startTestApp,
  statusPath,
  type Reply,
  type TestApp,
} from '../../builders/start-test-app.ts';

let clock: FakeClock;
let app: TestApp;

async function start(limits: LimitMode = 'published'): Promise<void> {
  clock = new FakeClock();
  const other = sampleWorkflows.echo.replace('id: echo', 'id: other');
  app = await startTestApp({ workflows: { echo: sampleWorkflows.echo, other }, clock, limits });
}

afterEach(() => app.close());

/** A trigger that costs a call and no run: the limits are judged before the body. */
const badTrigger = (workflowId: string, key = app.key): Promise<Reply> =>
  app.trigger(workflowId, '{}', { key });

async function times(count: number, call: () => Promise<Reply>, status: number): Promise<void> {
  for (let n = 0; n < count; n += 1) expect((await call()).status).toBe(status);
}

function expectLimited(reply: Reply, limit: string, seconds: number): void {
  expect(reply.status).toBe(429);
  expect(reply.body).toEqual(
    failure(`Rate limit exceeded. Retry after ${seconds} ${Number(seconds) === 1 ? 'second' : 'seconds'}.`),
  );
  expect(reply.headers.get('retry-after')).toBe(String(seconds));
  expect(reply.headers.get('x-rowbench-limit')).toBe(limit);
}

/** The call is refused until just before `Retry-After` is over, and accepted then. */
async function expectAcceptedAfter(
  seconds: number,
  call: () => Promise<Reply>,
  status: number,
): Promise<void> {
  clock.advance(seconds * 1000 - 1);
  expect((await call()).status).toBe(429);
  clock.advance(1);
  expect((await call()).status).toBe(status);
}

describe('a minute lets through', () => {
  it('50 triggers of one key', async () => {
    await start();
    await times(25, () => badTrigger('echo'), 400);
    clock.advance(10_000);
    await times(25, () => badTrigger('other'), 400);
    clock.advance(2_000);
    expectLimited(await badTrigger('other'), 'trigger', 48);
    await expectAcceptedAfter(48, () => badTrigger('other'), 400);
  });

  it('30 triggers of one workflow, all keys together', async () => {
    await start();
    const second = await app.createKey(null);
    await times(15, () => badTrigger('echo'), 400);
    clock.advance(1);
    await times(15, () => badTrigger('echo', second), 400);
    expectLimited(await badTrigger('echo', second), 'trigger-per-workflow', 60);
    expect((await badTrigger('other', second)).status).toBe(400);
    clock.advance(59_998);
    expectLimited(await badTrigger('echo', second), 'trigger-per-workflow', 1);
    clock.advance(1);
    expect((await badTrigger('echo', second)).status).toBe(400);
  });

  it('50 status calls of one key', async () => {
    await start();
    const status = () => app.call(statusPath('echo', 'unknown'));
    await times(50, status, 404);
    clock.advance(500);
    expectLimited(await status(), 'status', 60);
    clock.advance(59_500);
    expect((await status()).status).toBe(404);
  });

  it('6 status calls for one run, all keys together', async () => {
    await start();
    const second = await app.createKey(null);
    const runId = await app.run('echo', []);
    const status = (key = app.key) => app.call(statusPath('echo', runId), { key });
    await times(5, () => status(), 200);
    await times(1, () => status(second), 200);
    clock.advance(30_000);
    expectLimited(await status(second), 'status-per-run', 30);
    await expectAcceptedAfter(30, () => status(second), 200);
  });

  it('50 output calls of one key, on one run too', async () => {
    await start();
    const runId = await app.run('echo', []);
    await expect
      .poll(async () => (await app.services.runs.get(runId)).run.status, { timeout: 9000 })
      .toBe('completed');
    const output = () => app.call(outputPath('echo', runId));
    await times(50, output, 200);
    expectLimited(await output(), 'output', 60);
    await expectAcceptedAfter(60, output, 200);
  });
});

describe('a call', () => {
  it('without a valid key counts for no limit', async () => {
    await start();
    await times(60, () => app.call(statusPath('echo', 'x'), { key: 'rbk_wrong' }), 401);
    expect((await app.call(statusPath('echo', 'x'))).status).toBe(404);
  });

  it('that was refused with 429 is charged to nothing', async () => {
    await start();
    const runId = await app.run('echo', []);
    const status = () => app.call(statusPath('echo', runId));
    await times(6, status, 200);
    await times(60, status, 429);
    await times(44, () => app.call(statusPath('echo', 'unknown')), 404);
    expectLimited(await app.call(statusPath('echo', 'unknown')), 'status', 60);
  });

  it('carries no note of the limits while they are as published', async () => {
    await start();
    expect((await app.call(statusPath('echo', 'x'))).headers.get('x-rowbench-limits')).toBeNull();
  });
});

describe('a setting', () => {
  it('multiplies the limits, and answers say by how much', async () => {
    await start({ scale: 2 });
    const runId = await app.run('echo', []);
    const status = () => app.call(statusPath('echo', runId));
    await times(12, status, 200);
    const refused = await status();
    expectLimited(refused, 'status-per-run', 60);
    expect(refused.headers.get('x-rowbench-limits')).toBe('2x');
  });

  it('lifts the limits, and answers say so', async () => {
    await start('off');
    await times(60, () => app.call(statusPath('echo', 'x')), 404);
    expect((await app.call(statusPath('echo', 'x'))).headers.get('x-rowbench-limits')).toBe('off');
  });
});
