import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { LiveUpdate } from '../../../src-main/http/control-api/api/event-stream.ts';
import { storeDegraded } from '../../../src-main/domain/store-errors.ts';
import { awakeMsOf } from '../../builders/awake-ms.ts';
import { readEvents } from '../../builders/event-reader.ts';
import { controlApiWith, controlToken } from '../../builders/small-control.ts';
import { startSmallServer } from '../../builders/small-server.ts';
import { storedSettings } from '../../builders/stored-settings.ts';
import { sampleWorkflows, startTestApp } from '../../builders/start-test-app.ts';

async function start(workflows: Record<string, string> = { echo: sampleWorkflows.echo }) {
  const app = await startTestApp({ workflows, limits: 'off' });
  onTestFinished(() => app.close());
  const info = JSON.parse(await readFile(join(app.dataDir, 'server.json'), 'utf8')) as {
    controlToken: string;
  };
  const token = { 'x-rowbench-token': info.controlToken };
  const watch = async (headers: Record<string, string> = {}) => {
    const reader = await readEvents(app.url, { ...token, ...headers });
    onTestFinished(() => reader.leave());
    return reader;
  };
  return { app, token, watch };
}

describe('the event stream', () => {
  it('begins with everything, then tells what changes', async () => {
    const { app, watch } = await start();
    const earlier = await app.run('echo', [{ n: 1 }]);
    const { next, until, response } = await watch();
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const first = await next();
    expect(first?.message).toMatchObject({
      type: 'snapshot',
      snapshot: {
        server: { url: app.url },
        settings: { stored: { limits: 'published' }, waiting: [], fixedBy: { port: '--port' } },
        runs: [{ runId: earlier }],
        keys: [{ name: 'test', last4: app.key.slice(-4) }],
        workflows: [{ id: 'echo' }],
      },
    });
    const later = await app.run('echo', [{ n: 1 }, { n: 2 }]);
    const done = await until(
      (change) =>
        change.type === 'run-changed' && change.run.runId === later && change.run.status === 'completed',
    );
    expect(done).toMatchObject({ run: { rows: 2, rowsDone: 2, origin: 'test' } });
  });

  it('tells of keys that are made, used and revoked, and never the keys themselves', async () => {
    const { app, watch } = await start();
    const { next, until } = await watch();
    const snapshot = await next();
    const { key, secret } = await app.handlers['key.create']({ name: 'new', workflows: null });
    const ofKey = (fits: (state: { calls: number; revokedAt: string | null }) => boolean) =>
      until((change) => change.type === 'key-changed' && change.key.id === key.id && fits(change.key));
    const made = await ofKey(({ calls }) => calls === 0);
    await app.call('/api/v1/workflows/echo/runs/x/async/status', { key: secret });
    const used = await ofKey(({ calls }) => calls === 1);
    await app.handlers['key.revoke']({ id: key.id });
    const revoked = await ofKey(({ revokedAt }) => revokedAt !== null);
    const sent = JSON.stringify([snapshot, made, used, revoked]);
    for (const word of [secret, app.key, 'hash']) expect(sent).not.toContain(word);
  });

  it('tells of workflow files that come, change and go', async () => {
    const { app, watch } = await start();
    const { next, until } = await watch();
    await next();
    const file = join(app.dataDir, 'workflows', 'second.workflow.yaml');
    // Whole at once: the folder is looked through by the clock as well.
    const put = async (text: string) => {
      await writeFile(`${file}.new`, text);
      await rename(`${file}.new`, file);
    };
    const listed = async () => {
      await app.services.workflows.refresh();
      const change = await until(({ type }) => type === 'workflows-changed');
      return change.type === 'workflows-changed'
        ? change.workflows.map(({ id, issues }) => [id, issues.length])
        : [];
    };
    await put(sampleWorkflows.echo.replace('id: echo', 'id: second'));
    expect(await listed()).toEqual([
      ['echo', 0],
      ['second', 0],
    ]);
    await put('rowbench: 1\nid: second\nnodes: []\n');
    expect(await listed()).toEqual([
      ['echo', 0],
      ['second', 1],
    ]);
    await rm(file);
    expect(await listed()).toEqual([['echo', 0]]);
  });

  it('tells of what was decided about a workflow', async () => {
    const { app, watch } = await start();
    const { next, until } = await watch();
    await next();
    await app.handlers['workflow.grant']({ workflowId: 'echo', allow: ['lan'] });
    const change = await until(({ type }) => type === 'workflows-changed');
    const [echo] = change.type === 'workflows-changed' ? change.workflows : [];
    expect(echo?.network).toContain('lan');
  });

  it('goes on where a reader that comes back has left', async () => {
    const { app, watch } = await start();
    const first = await watch();
    const event = await first.next();
    first.leave();
    const runId = await app.run('echo', [{ n: 1 }]);
    await vi.waitFor(async () => expect((await app.services.runs.get(runId)).run.status).toBe('completed'));
    const again = await watch({ 'last-event-id': event?.id ?? '' });
    const missed = await again.next();
    expect(missed?.message.type).toBe('changes');
    expect(missed?.message.sequence).toBeGreaterThan(event?.message.sequence ?? Infinity);
    expect(missed?.message).toMatchObject({
      changes: [
        { type: 'key-changed' },
        { type: 'calls-changed', newest: 1 },
        { run: { runId, status: 'completed' } },
      ],
    });
  });

  it('has a snapshot for a reader of another start', async () => {
    const { watch } = await start();
    const { next } = await watch({ 'last-event-id': 'another-1' });
    expect((await next())?.message.type).toBe('snapshot');
  });

  it('ends when the server stops, and does not hold it up', async () => {
    const { app, watch } = await start();
    const { next } = await watch();
    await next();
    const ended = async (): Promise<void> => {
      await app.close();
      expect(await next()).toBeUndefined();
    };
    expect(await awakeMsOf(ended)).toBeLessThan(2_000);
  });

  it.each([
    ['no token', {}, 401],
    ['an API key', { 'x-service-key': 'rbk_0' }, 401],
    ['another site', { 'x-rowbench-token': controlToken, 'sec-fetch-site': 'cross-site' }, 403],
    ['another origin', { 'x-rowbench-token': controlToken, origin: 'null' }, 403],
  ])('refuses %s', async (_, headers: Record<string, string>, status) => {
    const server = await startSmallServer(controlApiWith());
    onTestFinished(() => server.close());
    const { response } = await readEvents(server.url, headers);
    expect(response.status).toBe(status);
  });

  it('takes no token from the query, and no other method', async () => {
    const server = await startSmallServer(controlApiWith());
    onTestFinished(() => server.close());
    const events = `${server.url}/_rowbench/v1/events`;
    expect((await fetch(`${events}?x-rowbench-token=${controlToken}`)).status).toBe(401);
    const posted = await fetch(events, { method: 'POST', headers: { 'x-rowbench-token': controlToken } });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET']);
  });

  it('answers with the error when no snapshot can be made', async () => {
    async function* broken(): AsyncGenerator<LiveUpdate> {
      throw storeDegraded();
    }
    const server = await startSmallServer(controlApiWith({}, { updates: () => broken() }));
    onTestFinished(() => server.close());
    const { response } = await readEvents(server.url, { 'x-rowbench-token': controlToken });
    expect(response.status).toBe(503);
    expect(response.headers.get('x-rowbench-error')).toBe('store_degraded');
  });

  it('asks for no more updates while a reader does not read', async () => {
    let requests = 0;
    async function* endless(): AsyncGenerator<LiveUpdate> {
      for (;;) {
        requests += 1;
        const url = 'x'.repeat(100_000);
        const server = { version: '', url, dataDir: '', limits: 'off' as const, startedAt: '' };
        yield {
          kind: 'snapshot',
          position: 'a-1',
          sequence: 1,
          snapshot: {
            server,
            settings: storedSettings(),
            runs: [],
            keys: [],
            workflows: [],
            removed: null,
            newestCall: 0,
          },
        };
      }
    }
    const server = await startSmallServer(controlApiWith({}, { updates: () => endless() }));
    onTestFinished(() => server.close());
    const socket = connect(server.port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.pause();
    const lines = [`Host: 127.0.0.1:${server.port}`, `x-rowbench-token: ${controlToken}`];
    socket.write(`GET /_rowbench/v1/events HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    let before = -1;
    // What the sockets' buffers take is asked for; then it stands still.
    await vi.waitFor(
      () => {
        const isStill = requests > 0 && requests === before;
        before = requests;
        expect(isStill).toBe(true);
      },
      { interval: 200, timeout: 10_000 },
    );
    expect(requests).toBeLessThan(300);
  });
});
