// Signed requests, checked as a service would check them.
import { createHash, createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { systemClock } from '../../../src-main/base/system-clock.ts';
import type { RequestSignature } from '../../../src-main/domain/nodes/call-auth.ts';
import { testBroker } from '../../builders/test-broker.ts';
import { json, redirectTo, startUpstream, type UpstreamAnswerer } from '../../builders/upstream-server.ts';

const key = 'c2lnbmluZyBrZXkgb2YgdXM=';
const now = Date.UTC(2026, 10, 26, 10, 0, 0, 123);
const clock = { ...systemClock, now: () => now };

const usual: RequestSignature = {
  secret: 'KEY',
  secretEncoding: 'text',
  algorithm: 'sha256',
  over: ['method', 'path', 'query', 'timestamp', 'body'],
  separator: '\n',
  encoding: 'hex',
  header: 'x-signature',
  timestamp: 'seconds',
  timestampHeader: 'x-timestamp',
};

const echo: UpstreamAnswerer = (call, response) =>
  json(call, 200, { 'x-echo': String(call.headers['x-signature']) })(call, response);

async function start(routes: Readonly<Record<string, UpstreamAnswerer>> = {}) {
  const upstream = await startUpstream({ '/a/b': echo, ...routes });
  const { ask } = testBroker({
    clock,
    secrets: [{ name: 'KEY', value: key, hosts: [`127.0.0.1:${upstream.port}`] }],
  });
  const post = (changes: Partial<RequestSignature> = {}, path = '/a/b?c=d%20e') =>
    ask({
      method: 'POST',
      url: upstream.url(path),
      headers: [['x-signature', 'of the row']],
      body: '{"a":"ü"}',
      auth: { hmac: { ...usual, ...changes } },
    });
  return { upstream, post };
}

it('a request is signed over the parts that the node names, as they are sent', async () => {
  const { upstream, post } = await start();
  await post();
  const signed = `POST\n/a/b\nc=d%20e\n${Math.floor(now / 1000)}\n{"a":"ü"}`;
  expect(upstream.calls[0]?.headers).toMatchObject({
    'x-signature': createHmac('sha256', key).update(signed).digest('hex'),
    'x-timestamp': String(Math.floor(now / 1000)),
  });
  expect(JSON.stringify(upstream.calls[0])).not.toContain(key);
});

it('a signature follows other conventions of services', async () => {
  const { upstream, post } = await start();
  await post({
    secretEncoding: 'base64',
    algorithm: 'sha512',
    over: ['timestamp', 'method', 'host', 'target', 'bodyHash'],
    separator: '',
    encoding: 'base64',
    prefix: 'v1=',
    timestamp: 'iso',
  });
  const hash = createHash('sha256').update('{"a":"ü"}').digest('hex');
  const signed = `2026-11-26T10:00:00.123ZPOST127.0.0.1:${upstream.port}/a/b?c=d%20e${hash}`;
  const signature = createHmac('sha512', Buffer.from(key, 'base64')).update(signed).digest('base64');
  expect(upstream.calls[0]?.headers).toMatchObject({
    'x-signature': `v1=${signature}`,
    'x-timestamp': '2026-11-26T10:00:00.123Z',
  });
});

it('a signature comes back masked', async () => {
  const { upstream, post } = await start();
  const heard = await post();
  const all = JSON.stringify([heard, heard.kind === 'answered' ? [...heard.headers] : []]);
  expect(all.match(/\[signature by KEY\]/g)).toHaveLength(2);
  expect(all).not.toContain(upstream.calls[0]?.headers['x-signature']);
});

it('a redirect of the same host is signed anew, and one to another host is not signed', async () => {
  const other = await startUpstream();
  const { upstream, post } = await start({
    '/moved': redirectTo('/a/b', 307),
    '/away': redirectTo(other.url('/'), 307),
  });
  await post({ over: ['path'] }, '/moved');
  await post({}, '/away');
  const signatureOf = (path: string): string => createHmac('sha256', key).update(path).digest('hex');
  expect(upstream.calls.slice(0, 2).map(({ headers }) => headers['x-signature'])).toEqual([
    signatureOf('/moved'),
    signatureOf('/a/b'),
  ]);
  expect(other.calls.map(({ headers }) => headers['x-signature'])).toEqual([undefined]);
});

it('a request to a host that the key is not bound to is not sent', async () => {
  const other = await startUpstream();
  const { ask } = testBroker({ secrets: [{ name: 'KEY', value: key, hosts: ['api.example.com'] }] });
  expect(await ask({ url: other.url('/'), auth: { hmac: usual } })).toMatchObject({ isFinal: true });
  expect(other.calls).toEqual([]);
});
