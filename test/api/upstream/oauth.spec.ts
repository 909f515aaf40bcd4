// Access tokens of OAuth 2 clients, from a token endpoint on this machine.
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src-main/base/system-clock.ts';
import type { OAuthClient } from '../../../src-main/domain/nodes/call-auth.ts';
import { testBroker } from '../../builders/test-broker.ts';
import { json, startUpstream, type UpstreamAnswerer } from '../../builders/upstream-server.ts';

const clientSecret = 'client/"secret"+&of us';
const tokenOf = (nth: number): string => `token-${nth}/with+odd"characters`;

const issue: UpstreamAnswerer = (call, response) =>
  json({ access_token: tokenOf(call.nth), token_type: 'Bearer', expires_in: 3600 })(call, response);

/** Answers with all that was sent. */
const echo: UpstreamAnswerer = (call, response) =>
  json(call, 200, { 'x-sent': String(call.headers.authorization) })(call, response);

async function start(routes: Readonly<Record<string, UpstreamAnswerer>> = {}, hosts?: readonly string[]) {
  const upstream = await startUpstream({ '/token': issue, '/api': echo, ...routes });
  let skippedMs = 0;
  const clock = { ...systemClock, monotonic: () => systemClock.monotonic() + skippedMs };
  const skip = (ms: number): void => void (skippedMs += ms);
  const bound = hosts ?? [`127.0.0.1:${upstream.port}`];
  const { ask, broker } = testBroker({
    clock,
    secrets: [{ name: 'CLIENT', value: clientSecret, hosts: bound }],
  });
  const client: OAuthClient = {
    tokenUrl: upstream.url('/token'),
    clientId: 'us & them',
    secret: 'CLIENT',
    credentialsIn: 'header',
  };
  const get = (changes: Partial<OAuthClient> = {}, path = '/api') =>
    ask({ url: upstream.url(path), auth: { oauth2: { ...client, ...changes } } });
  return { upstream, skip, get, ask, broker, client };
}

const sentTo = (calls: Awaited<ReturnType<typeof start>>['upstream']['calls'], path: string) =>
  calls.filter((call) => call.path === path);

describe('a call with an access token', () => {
  it('gets the token with the credentials of the client, and sends it as a bearer token', async () => {
    const { upstream, get } = await start();
    await get({ scope: 'read write', audience: 'https://api.example.com' });
    const [request] = sentTo(upstream.calls, '/token');
    const [, basic = ''] = String(request?.headers.authorization).split('Basic ');
    const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString().split(':');
    const decoded = new URLSearchParams(`id=${id}&secret=${secret}`);
    expect(Object.fromEntries(decoded)).toEqual({ id: 'us & them', secret: clientSecret });
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
      grant_type: 'client_credentials',
      scope: 'read write',
      audience: 'https://api.example.com',
    });
    expect(request?.headers).not.toHaveProperty('idempotency-key');
    expect(sentTo(upstream.calls, '/api').map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${tokenOf(0)}`,
    ]);
  });

  it('sends the credentials in the body where the node says so', async () => {
    const { upstream, get } = await start();
    await get({ credentialsIn: 'body' });
    const [request] = sentTo(upstream.calls, '/token');
    expect(request?.headers.authorization).toBeUndefined();
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
      grant_type: 'client_credentials',
      client_id: 'us & them',
      client_secret: clientSecret,
    });
  });

  it('shares one token with calls at the same time, until shortly before it expires', async () => {
    const { upstream, skip, get } = await start();
    await Promise.all(Array.from({ length: 50 }, () => get()));
    expect(upstream.count('/token')).toBe(1);
    skip(3_500_000);
    await get();
    expect(upstream.count('/token')).toBe(1);
    skip(100_000);
    await get();
    expect(upstream.count('/token')).toBe(2);
    await get({ scope: 'other' });
    expect(upstream.count('/token')).toBe(3);
  });

  it('is made once more with a new token when the service refuses the first one', async () => {
    const strict: UpstreamAnswerer = (call, response) =>
      json({}, call.headers.authorization === `Bearer ${tokenOf(0)}` ? 401 : 200)(call, response);
    const { upstream, get } = await start({ '/api': strict });
    const all = await Promise.all(Array.from({ length: 20 }, () => get()));
    expect(all.map((heard) => heard.kind === 'answered' && heard.status)).toEqual(Array(20).fill(200));
    expect(upstream.count('/token')).toBe(2);
  });

  it('has the answer of a service that refuses every token', async () => {
    const { upstream, get } = await start({ '/api': json({}, 401) });
    expect(await get()).toMatchObject({ kind: 'answered', status: 401 });
    expect([upstream.count('/api'), upstream.count('/token')]).toEqual([2, 2]);
  });

  it('brings back neither the token nor the secret, however the service repeats them', async () => {
    const { get } = await start({
      '/api': (call, response) =>
        json({ ...call, base64: Buffer.from(String(call.headers.authorization)).toString('base64') })(
          call,
          response,
        ),
    });
    const all = JSON.stringify(await get());
    expect(all.match(/\[token of CLIENT\]/g)?.length).toBeGreaterThanOrEqual(2);
    expect(all).not.toContain('token-0');
    expect(all).not.toContain(Buffer.from(tokenOf(0)).toString('base64').slice(4, 20));
  });

  it('is not made when the secret is not bound to the token endpoint, or not to the service', async () => {
    const other = await startUpstream();
    const { upstream, ask, client } = await start();
    const elsewhere = await ask({ url: other.url('/'), auth: { oauth2: client } });
    const unbound = await ask({
      url: upstream.url('/api'),
      auth: { oauth2: { ...client, tokenUrl: other.url('/token') } },
    });
    expect([other.calls, upstream.calls]).toEqual([[], []]);
    for (const heard of [elsewhere, unbound]) {
      expect(heard).toMatchObject({ kind: 'failed', isFinal: true });
      expect(heard.kind === 'failed' && heard.message).toContain(`not to ${new URL(other.url('/')).origin}`);
    }
  });

  it('sends no token to another host that it is redirected to, and no credentials to one of the endpoint', async () => {
    const other = await startUpstream();
    const away: UpstreamAnswerer = (call, response) =>
      void response.writeHead(307, { location: other.url(call.path) }).end();
    const { get, client, upstream } = await start({ '/away': away, '/token2': away });
    await get({}, '/away');
    await get({ tokenUrl: upstream.url('/token2'), credentialsIn: 'body' });
    expect(client.secret).toBe('CLIENT');
    expect(other.calls.map(({ path, headers, body }) => [path, headers.authorization, body])).toEqual([
      ['/away', undefined, ''],
      ['/token2', undefined, 'grant_type=client_credentials'],
    ]);
  });
});

describe('a token endpoint that gives no token', () => {
  it.each([
    [
      json({ error: 'invalid_client', error_description: 'no\nsuch client' }, 401),
      401,
      'HTTP 401 from POST ',
    ],
    [json({}, 503), 503, 'HTTP 503 from POST '],
    [json({ access_token: 'short' }), undefined, 'token that has 5 characters; the minimum is 8'],
    [json({ access_token: 'x'.repeat(8193) }), undefined, 'has 8193 characters; the maximum is 8192'],
    [json({ access_token: 'two\nlines of it' }), undefined, 'has characters that no header can have'],
    [json({ access_token: 'long-enough', token_type: 'mac' }), undefined, 'no bearer token'],
    [json('text'), undefined, 'without an access token'],
  ])('fails the call with its reason: %#', async (token, status, message) => {
    const { upstream, get } = await start({ '/token': token });
    const heard = await get();
    expect(heard).toMatchObject({ kind: 'failed', isToken: true });
    expect(heard).not.toHaveProperty('isFinal');
    expect(heard.kind === 'failed' && heard.status).toBe(status);
    expect(heard.kind === 'failed' && heard.message).toContain(
      `GET ${upstream.url('/api')} is not called, for lack of an access token: `,
    );
    expect(heard.kind === 'failed' && heard.message).toContain(message);
    expect(upstream.count('/api')).toBe(0);
  });

  it('is asked once by calls at the same time, and again by later ones', async () => {
    const { upstream, get } = await start({ '/token': json({}, 500) });
    await Promise.all([get(), get(), get()]);
    expect(upstream.count('/token')).toBe(1);
    await get();
    expect(upstream.count('/token')).toBe(2);
  });

  it('hides the secret that it repeats in its error', async () => {
    const { get } = await start({
      '/token': (call, response) =>
        json({ error: 'bad', error_description: `${clientSecret} ${call.headers.authorization}` }, 400)(
          call,
          response,
        ),
    });
    const heard = JSON.stringify(await get());
    expect(heard).toContain('[secret CLIENT]');
    expect(heard).not.toContain('client/');
    expect(heard).not.toMatch(/Y2xpZW50|c2VjcmV0/);
  });

  it('does not hold up a call that is cancelled', async () => {
    const { ask, upstream, client } = await start({ '/token': () => undefined });
    const aborter = new AbortController();
    const call = ask({ url: upstream.url('/api'), auth: { oauth2: client } }, { signal: aborter.signal });
    aborter.abort(new Error('cancelled'));
    await expect(call).rejects.toThrow('cancelled');
  });
});
