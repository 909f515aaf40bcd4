import { describe, expect, it } from 'vitest';
import { testBroker } from '../../builders/test-broker.ts';
import {
  json,
  redirectTo,
  slowly,
  startUpstream,
  type UpstreamAnswerer,
} from '../../builders/upstream-server.ts';

const token = { name: 'TOKEN', value: 'a-token-that-nobody-knows' };

describe('a redirect is followed', () => {
  it.each([
    [301, 'GET', 'GET'],
    [301, 'POST', 'GET'],
    [302, 'POST', 'GET'],
    [302, 'PUT', 'PUT'],
    [303, 'POST', 'GET'],
    [303, 'PUT', 'GET'],
    [303, 'HEAD', 'HEAD'],
    [307, 'POST', 'POST'],
    [308, 'PUT', 'PUT'],
  ])('%i of a %s becomes a %s', async (status, method, followed) => {
    const upstream = await startUpstream({ '/from': redirectTo('/to?x=1', status) });
    const headers = [['content-type', 'text/plain']] as const;
    const body = method === 'GET' || method === 'HEAD' ? {} : { body: 'text' };
    await testBroker().ask({ url: upstream.url('/from'), method, headers, ...body });
    const last = upstream.calls[1];
    expect(last).toMatchObject({ method: followed, url: '/to?x=1', key: 'run/row/node' });
    const keepsBody = followed !== 'GET' && followed !== 'HEAD';
    expect(last?.body).toBe(keepsBody ? 'text' : '');
    expect(last?.headers['content-type']).toBe(
      followed === 'GET' && method !== 'GET' ? undefined : 'text/plain',
    );
  });

  it('five times at most', async () => {
    const hops = Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [`/${n}`, redirectTo(`/${n - 1}`)]));
    const upstream = await startUpstream(hops);
    const { ask } = testBroker();
    expect(await ask(upstream.url('/5'))).toMatchObject({ status: 200 });
    expect(await ask(upstream.url('/6'))).toEqual({
      kind: 'failed',
      message: `GET ${upstream.url('/6')} was redirected more than 5 times`,
    });
  });

  it('but not in a circle', async () => {
    const upstream = await startUpstream({ '/a': redirectTo('/b'), '/b': redirectTo('/a') });
    expect(await testBroker().ask(upstream.url('/a'))).toMatchObject({
      message: `GET ${upstream.url('/a')} was redirected in a loop`,
    });
    expect(upstream.calls).toHaveLength(2);
  });

  it.each([
    [
      'file:///etc/passwd',
      'was redirected to file:///etc/passwd, which is refused: only http and https can be called',
    ],
    [
      'http://u:p@127.0.0.1/',
      'was redirected to http://127.0.0.1/, which is refused: the URL has a user name',
    ],
    ['http://', 'was redirected to something that is not a URL'],
  ])('but not to %s', async (location, words) => {
    const upstream = await startUpstream({ '/': redirectTo(location) });
    const heard = await testBroker().ask(upstream.url('/'));
    expect(heard.kind === 'failed' && heard.message).toContain(words);
  });

  it('but one without a place to go to is an answer', async () => {
    const upstream = await startUpstream({
      '/': json({ n: 1 }, 302),
      '/300': json({}, 300, { location: '/x' }),
    });
    const { ask } = testBroker();
    expect(await ask(upstream.url('/'))).toMatchObject({ status: 302, text: '{"n":1}' });
    expect(await ask(upstream.url('/300'))).toMatchObject({ status: 300 });
  });

  it('unless the node takes it for the answer', async () => {
    const upstream = await startUpstream({ '/from': redirectTo(`/to?key=${token.value}`) });
    const { call } = testBroker({ secrets: [{ ...token, hosts: [`127.0.0.1:${upstream.port}`] }] });
    const request = { url: upstream.url('/from'), auth: { secret: 'TOKEN' } };
    const answer = await call({ ...request, redirect: 'answer' });
    expect(answer).toMatchObject({ status: 302 });
    expect(answer.kind === 'answered' && new Map(answer.headers).get('location')).toBe(
      '/to?key=[secret TOKEN]',
    );
    expect(answer).not.toHaveProperty('url');
    expect(upstream.calls).toHaveLength(1);
    // A followed one says where it led, without a secret in the address.
    expect(await call(request)).toMatchObject({ status: 200, url: upstream.url('/to?key=[secret TOKEN]') });
    expect(await call(upstream.url('/to'))).not.toHaveProperty('url');
  });

  it('within the time of the whole call', async () => {
    const circle: UpstreamAnswerer = (call, response) =>
      slowly(40, redirectTo(`${call.url}x`))(call, response);
    const upstream = await startUpstream({ '/': circle, '/x': circle, '/xx': circle, '/xxx': circle });
    const heard = await testBroker({ bounds: { totalMs: 100 } }).ask(upstream.url('/'));
    expect(heard).toMatchObject({ message: `GET ${upstream.url('/')} timed out after 100 ms` });
  });
});

it('an idempotency key of the author replaces the made one, and stays with its origin', async () => {
  const other = await startUpstream();
  const upstream = await startUpstream({ '/here': redirectTo('/'), '/away': redirectTo(other.url('/')) });
  const { ask } = testBroker();
  const headers = [['idempotency-key', 'order-7']] as const;
  await ask({ url: upstream.url('/here'), headers });
  await ask({ url: upstream.url('/away'), headers });
  expect(upstream.calls.map(({ key }) => key)).toEqual(['order-7', 'order-7', 'order-7']);
  expect(other.calls[0]?.headers).not.toHaveProperty('idempotency-key');
});

describe('credentials', () => {
  const headers = [
    ['authorization', 'Basic eA=='],
    ['cookie', 'a=1'],
    ['x-plain', 'stays'],
  ] as const;

  it.each([302, 307])('of the author stay with their origin on a %i', async (status) => {
    const other = await startUpstream();
    const upstream = await startUpstream({
      '/away': redirectTo(other.url('/'), status),
      '/here': redirectTo('/'),
    });
    const { ask } = testBroker();
    await ask({ url: upstream.url('/here'), headers });
    expect(upstream.calls.at(-1)?.headers).toMatchObject({ authorization: 'Basic eA==', cookie: 'a=1' });
    await ask({ url: upstream.url('/away'), method: 'POST', headers, body: 'text' });
    const seen = other.calls[0]?.headers ?? {};
    expect([seen.authorization, seen.cookie, seen['x-plain']]).toEqual([undefined, undefined, 'stays']);
  });

  it.each(['authorization', 'x-api-key'])(
    'in %s stay with their origin, and do not come back with it',
    async (header) => {
      const other = await startUpstream();
      const upstream = await startUpstream({
        '/away': (call, response) => redirectTo(other.url('/back'))(call, response),
      });
      const back = await startUpstream({ '/back': redirectTo(upstream.url('/')) });
      const viaBack = await startUpstream({ '/': redirectTo(back.url('/back')) });
      const hosts = [upstream, viaBack].map(({ port }) => `127.0.0.1:${port}`);
      const { ask } = testBroker({ secrets: [{ ...token, hosts }] });
      const auth = { secret: 'TOKEN', header };
      await ask({ url: upstream.url('/away'), auth });
      expect(String(upstream.calls[0]?.headers[header])).toContain(token.value);
      expect(JSON.stringify(other.calls[0]?.headers)).not.toContain(token.value);
      await ask({ url: viaBack.url('/'), auth });
      expect(JSON.stringify(upstream.calls.at(-1)?.headers)).not.toContain(token.value);
    },
  );
});
