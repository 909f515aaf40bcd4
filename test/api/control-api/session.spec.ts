import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EntryCodes } from '../../../src-main/http/control-api/entry-codes.ts';
import { controlApiWith, controlToken, pairedBrowsers } from '../../builders/small-control.ts';
import { FakeClock } from '../../builders/fake-clock.ts';
import { startSmallServer } from '../../builders/small-server.ts';
import { sampleWorkflows, startTestApp } from '../../builders/start-test-app.ts';

const json = { 'content-type': 'application/json' };
const refusal = {
  success: false,
  error: 'This link has been used or is too old. Open a new one',
};

async function start() {
  const entryCodes = new EntryCodes(new FakeClock());
  const browsers = pairedBrowsers();
  const handlers = { 'key.list': async () => [] };
  const server = await startSmallServer(controlApiWith(handlers, { entryCodes, browsers, updates: silent }));
  onTestFinished(() => server.close());
  const exchange = async (body: string, init: RequestInit = {}) => {
    const response = await fetch(`${server.url}/_rowbench/v1/session`, {
      method: 'POST',
      headers: json,
      body,
      ...init,
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  const pair = async (): Promise<Paired> => {
    const { body } = await exchange(JSON.stringify({ code: entryCodes.create() }));
    return (body as { data: Paired }).data;
  };
  const isLetIn = async (token: string): Promise<boolean> => {
    const headers = { ...json, 'x-rowbench-token': token };
    const call = { method: 'POST', headers, body: '{}' };
    const { status } = await fetch(`${server.url}/_rowbench/v1/call/key.list`, call);
    return status === 200;
  };
  return { url: server.url, entryCodes, browsers, exchange, pair, isLetIn };
}

/** A feed that says nothing until its reader goes. */
async function* silent({ signal }: { readonly signal: AbortSignal }) {
  yield { kind: 'quiet' } as const;
  await once(signal, 'abort');
}

type Paired = {
  readonly token: string;
  readonly secret: string;
  readonly browserId: string;
  readonly folderId: string;
};

describe('a session', () => {
  it('is opened by a code, once', async () => {
    const { entryCodes, exchange, isLetIn } = await start();
    const body = JSON.stringify({ code: entryCodes.create() });
    const opened = await exchange(body);
    expect(opened).toMatchObject({ status: 200, body: { success: true } });
    const { token } = (opened.body as { data: Paired }).data;
    expect(token).not.toBe(controlToken);
    expect(await isLetIn(token)).toBe(true);
    expect(await exchange(body)).toMatchObject({ status: 401, body: refusal });
  });

  it('is opened by the secret of a paired browser as often as it asks', async () => {
    const { pair, exchange, isLetIn } = await start();
    const { secret, token, browserId } = await pair();
    for (let tab = 0; tab < 3; tab += 1) {
      const answer = await exchange(JSON.stringify({ secret }));
      expect(answer).toMatchObject({ status: 200, body: { data: { token, browserId } } });
      expect(JSON.stringify(answer.body)).not.toContain(secret);
    }
    expect([await isLetIn(token), await isLetIn(secret)]).toEqual([true, false]);
  });

  it('of a browser ends when it is signed out: calls are refused and its event streams are cut', async () => {
    const { url, pair, browsers, exchange, isLetIn } = await start();
    const [lost, other] = [await pair(), await pair()];
    const watch = (token: string) =>
      fetch(`${url}/_rowbench/v1/events`, { headers: { 'x-rowbench-token': token } });
    const streams = await Promise.all([watch(lost.token), watch(other.token)]);
    await browsers.revoke(lost.browserId);
    await expect(streams[0]?.text()).rejects.toThrow();
    await streams[1]?.body?.cancel();
    expect([await isLetIn(lost.token), await isLetIn(other.token)]).toEqual([false, true]);
    expect(await exchange(JSON.stringify({ secret: lost.secret }))).toMatchObject({
      status: 401,
      body: { error: 'This browser is signed out. Open a new link' },
    });
  });

  it('says without a token only whether it is open and which data folder is served', async () => {
    const { url, pair } = await start();
    const { folderId, token } = await pair();
    const ask = async (headers: Record<string, string>) =>
      (await fetch(`${url}/_rowbench/v1/session`, { headers })).json();
    expect(await ask({})).toEqual({ success: true, data: { isOpen: false, folderId } });
    expect(await ask({ 'x-rowbench-token': token })).toEqual({
      success: true,
      data: { isOpen: true, folderId },
    });
  });

  it.each([
    ['a wrong code', '{"code":"wrong"}'],
    ['no code', '{}'],
    ['a code that is no text', '{"code":1}'],
    ['the control token', JSON.stringify({ code: controlToken })],
    ['a code beside a secret', '{"code":"wrong","secret":"wrong"}'],
    ['a code beside something else', '{"code":"wrong","token":"x"}'],
    ['no object', 'null'],
  ])('is not opened by %s', async (_, body) => {
    const { entryCodes, exchange } = await start();
    entryCodes.create();
    expect(await exchange(body)).toMatchObject({ status: 401, body: refusal });
  });

  it.each([
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
    ['a page on another port', { 'sec-fetch-site': 'same-site' }],
    ['another origin', { origin: 'http://127.0.0.1:1' }],
    ['a typed address', { 'sec-fetch-site': 'none' }],
  ])(
    'is not opened for %s, even with a secret, and the code stays unused',
    async (_, headers: Record<string, string>) => {
      const { entryCodes, exchange, pair } = await start();
      const { secret } = await pair();
      expect(await exchange(JSON.stringify({ secret }), { headers: { ...json, ...headers } })).toMatchObject({
        status: 403,
      });
      const body = JSON.stringify({ code: entryCodes.create() });
      expect(await exchange(body, { headers: { ...json, ...headers } })).toMatchObject({
        status: 403,
      });
      expect(await exchange(body)).toMatchObject({ status: 200 });
    },
  );

  it('takes no form and no plain text, which other pages could send', async () => {
    const { entryCodes, exchange } = await start();
    const body = JSON.stringify({ code: entryCodes.create() });
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      expect(await exchange(body, { headers: { 'content-type': type } })).toMatchObject({ status: 400 });
    }
    expect(await exchange(body)).toMatchObject({ status: 200 });
  });

  it('sets no cookie and is not cached', async () => {
    const { entryCodes, exchange } = await start();
    const { headers } = await exchange(JSON.stringify({ code: entryCodes.create() }));
    expect([headers.get('set-cookie'), headers.get('cache-control')]).toEqual([null, 'no-store']);
  });

  it('of the whole app opens with a link’s code, and its token opens the control API alone', async () => {
    const app = await startTestApp({ workflows: { echo: sampleWorkflows.echo } });
    onTestFinished(() => app.close());
    const link = await app.handlers['server.link']({});
    expect(link).toMatchObject({ minutes: 10 });
    expect(link.url).toMatch(new RegExp(`^${app.url}/#code=[A-Za-z0-9_-]{43}$`));
    const code = link.url.split('#code=')[1];
    const session = await app.call('/_rowbench/v1/session', {
      method: 'POST',
      key: null,
      headers: json,
      body: JSON.stringify({ code }),
    });
    const { token } = (session.body as { data: { token: string } }).data;
    const list = (headers: Record<string, string>) =>
      app.call('/_rowbench/v1/call/run.list', {
        method: 'POST',
        key: null,
        headers: { ...json, ...headers },
        body: '{}',
      });
    expect((await list({ 'x-rowbench-token': token })).status).toBe(200);
    expect((await list({})).status).toBe(401);
    expect((await app.call('/api/v1/workflows/echo/runs/x/async/status', { key: token })).status).toBe(401);
  });
});
