// Cookies of a session, over real connections: what a request gets, and where it comes from.
import { describe, expect, it } from 'vitest';
import { SessionCookies } from '../../../src-main/executor/upstream/session-cookies.ts';
import { testBroker } from '../../builders/test-broker.ts';
import { startUpstream, type UpstreamAnswerer } from '../../builders/upstream-server.ts';

const setting =
  (cookies: readonly string[], status = 200, location?: string): UpstreamAnswerer =>
  (_call, response) =>
    void response
      .writeHead(status, { 'set-cookie': [...cookies], ...(location === undefined ? {} : { location }) })
      .end('done');

async function session(routes: Readonly<Record<string, UpstreamAnswerer>>) {
  const upstream = await startUpstream(routes);
  const { ask } = testBroker();
  const cookies = new SessionCookies();
  const get = async (url: string) => {
    const answer = await ask(
      { url: url.startsWith('/') ? upstream.url(url) : url, session: 's' },
      { cookies },
    );
    return { answer, sent: upstream.calls.at(-1)?.headers.cookie };
  };
  return { upstream, get, ask, cookies };
}

describe('a session', () => {
  it('sends what a login has set, and shows no cookie in an answer', async () => {
    const { get } = await session({ '/login': setting(['sid=abc; HttpOnly', 'lang=de']) });
    const { answer, sent } = await get('/login');
    expect(sent).toBeUndefined();
    expect(answer).toMatchObject({ kind: 'answered', status: 200 });
    expect(answer.kind === 'answered' && [...answer.headers.keys()]).not.toContain('set-cookie');
    expect((await get('/orders')).sent).toBe('sid=abc; lang=de');
  });

  it('gets cookies on each hop of a redirect, and sends them on the next', async () => {
    const { get, upstream } = await session({
      '/login': setting(['first=1'], 302, '/second'),
      '/second': setting(['second=2; Path=/'], 303, '/home'),
    });
    await get('/login');
    expect(upstream.calls.map(({ path, headers }) => `${path} ${headers.cookie ?? ''}`)).toEqual([
      '/login ',
      '/second first=1',
      '/home first=1; second=2',
    ]);
  });

  it.each([
    ['another path', ['a=1; Path=/admin'], '/administrator', undefined],
    ['a part of the path', ['a=1; Path=/admin'], '/admin/users', 'a=1'],
    ['the default path', ['a=1'], '/elsewhere', 'a=1'],
    ['a cookie that has expired', ['a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT'], '/x', undefined],
    ['an age of zero', ['a=1; Max-Age=0', 'b=2'], '/x', 'b=2'],
    ['a cookie that the service takes back', ['a=1', 'a=; Max-Age=0'], '/x', undefined],
    ['a new value', ['a=1', 'a=2'], '/x', 'a=2'],
    ['another domain', ['a=1; Domain=example.com'], '/x', undefined],
    ['a value of 5,000 characters', [`a=${'x'.repeat(5000)}`, 'b=2'], '/x', 'b=2'],
    ['text that is no cookie', ['', ';;;', 'b=2'], '/x', 'b=2'],
  ])('keeps to RFC 6265 for %s', async (_, cookies, path, sent) => {
    const { get } = await session({ '/login': setting(cookies) });
    await get('/login');
    expect((await get(path)).sent).toBe(sent);
  });

  it('sends nothing to another host, and takes its cookies as those of that host', async () => {
    const { get, upstream } = await session({
      '/login': setting(['a=1']),
      '/there': (call, response) =>
        call.headers.host?.startsWith('localhost') === true
          ? setting(['b=2'])(call, response)
          : setting([], 302, `http://localhost:${upstream.port}/there`)(call, response),
    });
    await get('/login');
    expect((await get('/there')).sent).toBeUndefined();
    expect((await get('/x')).sent).toBe('a=1');
    expect((await get(`http://localhost:${upstream.port}/x`)).sent).toBe('b=2');
  });

  it('refuses a header cookie of the node', async () => {
    const { ask, upstream, cookies } = await session({});
    const headers = [['Cookie', 'a=1']] as const;
    expect(await ask({ url: upstream.url('/x'), headers, session: 's' }, { cookies })).toEqual({
      kind: 'failed',
      isFinal: true,
      message: `GET ${upstream.url('/x')} is refused: its session sends the header cookie, so leave that header out`,
    });
    expect(upstream.calls).toEqual([]);
  });
});

const jarAt = (url: string, ...lines: readonly string[]): SessionCookies => {
  const cookies = new SessionCookies();
  cookies.add(new URL(url), lines);
  return cookies;
};

describe('the cookies of a session', () => {
  it.each([
    ['https://a.example.com/', 'a=1; Secure', 'http://a.example.com/', ''],
    ['https://a.example.com/', 'a=1; Secure', 'https://a.example.com/', 'a=1'],
    ['http://a.example.com/', 'a=1; Secure', 'https://a.example.com/', ''],
    ['https://a.shop.com/', 'a=1; Domain=shop.com', 'https://b.shop.com/', 'a=1'],
    ['https://a.shop.com/', 'a=1; Domain=.shop.com', 'https://shop.com/', 'a=1'],
    ['https://a.shop.com/', 'a=1', 'https://b.a.shop.com/', ''],
    ['https://a.shop.com/', 'a=1; Domain=other.com', 'https://other.com/', ''],
    ['https://a.co.uk/', 'a=1; Domain=co.uk', 'https://b.co.uk/', ''],
    ['https://a.shop.com/', '__Host-a=1; Path=/', 'https://a.shop.com/', ''],
  ])('of %s with %s are for %s: %s', (from, line, to, sent) => {
    expect(jarAt(from, line).headerFor(new URL(to))).toBe(sent);
  });

  it('are 200 at most', () => {
    const lines = Array.from({ length: 300 }, (_, index) => `c${index}=1`);
    expect(
      jarAt('https://a.example.com/', ...lines)
        .headerFor(new URL('https://a.example.com/'))
        .split('; '),
    ).toHaveLength(200);
  });

  it('of a copy go back to the session, and to others', () => {
    const url = new URL('https://a.example.com/');
    const first = jarAt(url.href, 'a=1');
    const other = jarAt(url.href, 'a=1');
    const copy = first.copy();
    copy.add(url, ['b=2', 'a=; Max-Age=0']);
    expect(first.headerFor(url)).toBe('a=1');
    for (const each of [first, other]) {
      each.addFrom(copy);
      expect(each.headerFor(url)).toBe('b=2');
    }
  });
});
