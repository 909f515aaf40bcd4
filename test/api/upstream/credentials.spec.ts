// Secrets in the query and in the body: they arrive, go nowhere else, and come back masked.
import { describe, expect, it } from 'vitest';
import { testBroker } from '../../builders/test-broker.ts';
import { json, startUpstream, type UpstreamAnswerer } from '../../builders/upstream-server.ts';

const value = 'k3y of/"söme"+length&=';
const secretFor = (port: number) => [{ name: 'KEY', value, hosts: [`127.0.0.1:${port}`] }];

/** Answers with all that was sent. */
const echo: UpstreamAnswerer = (call, response) =>
  json({ url: call.url, body: call.body, headers: call.headers }, 200, {
    'x-url': `http://h${call.url}`,
  })(call, response);

const redirect =
  (location: string, status = 307): UpstreamAnswerer =>
  (_call, response) =>
    void response.writeHead(status, { location }).end();

const jsonBody = { headers: [['content-type', 'application/json']] as const, body: '{"a":1}' };

describe('a secret in the query', () => {
  it('arrives encoded, in place of a parameter of the row, and comes back masked', async () => {
    const upstream = await startUpstream({ '/': echo });
    const { ask } = testBroker({ secrets: secretFor(upstream.port) });
    const heard = await ask({
      url: upstream.url('/?a=1&key=row'),
      auth: { secret: 'KEY', query: 'key' },
    });
    const { searchParams } = new URL(upstream.url(upstream.calls[0]?.url ?? ''));
    expect([...searchParams]).toEqual([
      ['a', '1'],
      ['key', value],
    ]);
    const all = JSON.stringify([heard, heard.kind === 'answered' ? [...heard.headers] : []]);
    expect(all.match(/\[secret KEY\]/g)).toHaveLength(2);
    expect(all).not.toContain('k3y');
  });

  it('is refused to a host that it is not bound to, before anything is sent', async () => {
    const upstream = await startUpstream();
    const { ask } = testBroker({ secrets: secretFor(1) });
    const heard = await ask({ url: upstream.url('/'), auth: { secret: 'KEY', query: 'key' } });
    expect(heard).toMatchObject({ kind: 'failed', isFinal: true });
    expect(JSON.stringify(heard)).not.toContain('k3y');
    expect(upstream.calls).toEqual([]);
  });

  it('goes along a redirect of its host, and to no other host, even where the service adds it', async () => {
    const other = await startUpstream();
    const upstream = await startUpstream({
      '/here': redirect('/there?b=2'),
      '/away': redirect(other.url('/?c=3')),
      '/leak': (call, response) => redirect(other.url(call.url))(call, response),
    });
    const { ask } = testBroker({ secrets: secretFor(upstream.port) });
    const auth = { secret: 'KEY', query: 'key' };
    await ask({ url: upstream.url('/here'), auth });
    await ask({ url: upstream.url('/away'), auth });
    const leaked = await ask({ url: upstream.url('/leak'), auth });
    expect(new URL(upstream.url(upstream.calls[1]?.url ?? '')).searchParams.get('key')).toBe(value);
    expect(other.calls.map(({ url }) => url)).toEqual(['/?c=3']);
    expect(leaked).toMatchObject({
      kind: 'failed',
      message: `GET ${upstream.url('/leak')} was redirected to another host with the secret in the URL, which is refused`,
    });
  });
});

describe('a secret in the body', () => {
  it('arrives as a field, and comes back masked', async () => {
    const upstream = await startUpstream({ '/': echo });
    const { ask } = testBroker({ secrets: secretFor(upstream.port) });
    const heard = await ask({
      ...jsonBody,
      method: 'POST',
      url: upstream.url('/'),
      auth: { secret: 'KEY', body: 'key' },
    });
    expect(JSON.parse(upstream.calls[0]?.body ?? '')).toEqual({ a: 1, key: value });
    expect(JSON.stringify(heard)).toContain('[secret KEY]');
    expect(JSON.stringify(heard)).not.toContain('k3y');
  });

  it('stays out of a body that is sent on to another host', async () => {
    const other = await startUpstream();
    const upstream = await startUpstream({ '/here': redirect('/there'), '/away': redirect(other.url('/')) });
    const { ask } = testBroker({ secrets: secretFor(upstream.port) });
    const call = { ...jsonBody, method: 'POST', auth: { secret: 'KEY', body: 'key' } };
    await ask({ ...call, url: upstream.url('/here') });
    await ask({ ...call, url: upstream.url('/away') });
    expect(upstream.calls[1]?.body).toContain('"key"');
    expect(other.calls.map(({ body }) => body)).toEqual(['{"a":1}']);
  });

  it('is refused for a body without fields', async () => {
    const upstream = await startUpstream();
    const { ask } = testBroker({ secrets: secretFor(upstream.port) });
    const heard = await ask({
      method: 'POST',
      url: upstream.url('/'),
      headers: [['content-type', 'text/plain']],
      body: 'text',
      auth: { secret: 'KEY', body: 'key' },
    });
    expect(heard).toMatchObject({ kind: 'failed', isFinal: true });
    expect(upstream.calls).toEqual([]);
  });
});
