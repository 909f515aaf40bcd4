import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { silentLog } from '../../../src-main/base/log.ts';
import type { Role } from '../../../src-main/domain/access/role.ts';
import { refusalDelayMs } from '../../../src-main/http/control-api/token-access.ts';
import { MemoryAuditLog } from '../../../src-main/services/access/memory-audit-log.ts';
import { TokenService } from '../../../src-main/services/access/token-service.ts';
import { tokensDocument } from '../../../src-main/storage/documents/document-definitions.ts';
import { FakeClock } from '../../builders/fake-clock.ts';
import { controlApiWith, memoryDocument, pairedBrowsers } from '../../builders/small-control.ts';
import { startSmallServer } from '../../builders/small-server.ts';

const json = { 'content-type': 'application/json' };
const day = 86_400_000;

async function start({ isHttps = false } = {}) {
  const clock = new FakeClock();
  const browsers = pairedBrowsers(clock);
  const tokens = new TokenService({
    document: memoryDocument(tokensDocument.initial()),
    clock,
    log: silentLog,
  });
  const audit = new MemoryAuditLog();
  const handlers = { 'key.list': async () => [] };
  const team = { tokens, audit, isHttps, log: silentLog };
  const server = await startSmallServer(
    controlApiWith(handlers, { browsers, clock, team, updates: eachMinute(clock) }),
  );
  onTestFinished(() => server.close());
  const send = (path: string, init: RequestInit = {}) => fetch(`${server.url}/_rowbench/v1${path}`, init);
  const signIn = async (token: string, headers: Record<string, string> = {}) => {
    const response = await send('/session', {
      method: 'POST',
      headers: { ...json, ...headers },
      body: JSON.stringify({ token }),
    });
    const cookie = response.headers.get('set-cookie') ?? '';
    return { status: response.status, cookie, sent: { cookie: cookie.split(';')[0] ?? '' }, response };
  };
  const newToken = (name: string, role: Role = 'viewer', lifeMs?: number) =>
    tokens.create({
      name,
      role,
      createdBy: null,
      expiresAt: lifeMs === undefined ? null : new Date(clock.now() + lifeMs).toISOString(),
    });
  /** The status of a call, a second later: refusals take their time. */
  const call = async (headers: Record<string, string>): Promise<number> => {
    const answer = send('/call/key.list', { method: 'POST', headers: { ...json, ...headers }, body: '{}' });
    const timer = setInterval(() => clock.advance(refusalDelayMs), 5);
    return (await answer.finally(() => clearInterval(timer))).status;
  };
  return { clock, browsers, tokens, audit, send, signIn, newToken, call };
}

/** A feed with a sign of life each minute. */
const eachMinute = (clock: FakeClock) =>
  async function* ({ signal }: { readonly signal: AbortSignal }) {
    while (!signal.aborted) {
      yield { kind: 'quiet' } as const;
      await new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve());
        clock.setTimer(60_000, resolve);
      });
    }
  };

describe('a user of a team server', () => {
  it('signs in with a token, and is known by a cookie that no script can read', async () => {
    const { signIn, newToken, call, send, browsers } = await start({ isHttps: true });
    const { secret } = await newToken('ada', 'operator');
    const { status, cookie, sent, response } = await signIn(` ${secret}\n`);
    expect(status).toBe(200);
    expect(await response.json()).toEqual({
      success: true,
      data: { isOpen: true, folderId: 'folder-1', asks: 'token', user: { name: 'ada', role: 'operator' } },
    });
    expect(cookie).toMatch(
      /^__Host-rowbench=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure$/,
    );
    expect(await call(sent)).toBe(200);
    expect(await call({ cookie: `other=1; ${sent.cookie}; more=2` })).toBe(200);
    expect(await (await send('/session', { headers: sent })).json()).toMatchObject({
      data: { isOpen: true, user: { name: 'ada', role: 'operator' } },
    });
    expect(browsers.list()).toHaveLength(1);
  });

  it('has a cookie without Secure where the server is not on https', async () => {
    const { signIn, newToken } = await start();
    const { secret } = await newToken('ada', 'viewer', day);
    expect((await signIn(secret)).cookie).toMatch(
      /^rowbench=[\w-]{43}; Path=\/; Max-Age=86400; HttpOnly; SameSite=Strict$/,
    );
  });

  it('is let in by a token in a header, too', async () => {
    const { newToken, call } = await start();
    const { secret } = await newToken('ci');
    expect(await call({ 'x-rowbench-token': secret })).toBe(200);
    expect(await call({})).toBe(401);
  });

  it('signs out of one browser alone', async () => {
    const { signIn, newToken, call, send, audit } = await start();
    const { secret } = await newToken('ada');
    const [first, second] = [await signIn(secret), await signIn(secret)];
    const answer = await send('/session', { method: 'DELETE', headers: first.sent });
    expect(answer.headers.get('set-cookie')).toMatch(/^rowbench=; Path=\/; Max-Age=0;/);
    expect([await call(first.sent), await call(second.sent)]).toEqual([401, 200]);
    const procedures = (await audit.list({ limit: 9 })).map(({ procedure }) => procedure);
    expect(procedures).toEqual(['session.close', 'session.open', 'session.open']);
  });

  it('loses session, calls and live feed at once when the token is revoked', async () => {
    const { signIn, newToken, call, send, tokens } = await start();
    const [ada, ben] = [await newToken('ada'), await newToken('ben')];
    const [lost, other] = [await signIn(ada.secret), await signIn(ben.secret)];
    const [stream, byHeader, otherStream] = await Promise.all([
      send('/events', { headers: lost.sent }),
      send('/events', { headers: { 'x-rowbench-token': ada.secret } }),
      send('/events', { headers: other.sent }),
    ]);
    await tokens.revoke(ada.token.id);
    await expect(stream.text()).rejects.toThrow();
    await expect(byHeader.text()).rejects.toThrow();
    await otherStream.body?.cancel();
    expect([await call(lost.sent), await call({ 'x-rowbench-token': ada.secret })]).toEqual([401, 401]);
    expect(await call(other.sent)).toBe(200);
  });

  it('loses all of it when the token expires, the live feed with its next sign of life', async () => {
    const { signIn, newToken, call, send, clock } = await start();
    const { secret } = await newToken('ada', 'viewer', day);
    const { sent } = await signIn(secret);
    const stream = await send('/events', { headers: sent });
    await vi.waitFor(() => expect(clock.pending).toBeGreaterThan(0));
    clock.advance(day);
    await expect(stream.text()).rejects.toThrow();
    expect(await call(sent)).toBe(401);
  });

  it('is refused slowly with a wrong token, cookie or nothing known', async () => {
    const { send, signIn, clock } = await start();
    const attempts = [
      () => signIn('rbt_wrong').then(({ response }) => response),
      () =>
        send('/call/key.list', { method: 'POST', headers: { ...json, 'x-rowbench-token': 'x' }, body: '{}' }),
      () =>
        send('/call/key.list', { method: 'POST', headers: { ...json, cookie: 'rowbench=x' }, body: '{}' }),
    ];
    for (const attempt of attempts) {
      const started = clock.monotonic();
      let isAnswered = false;
      const answer = attempt().finally(() => (isAnswered = true));
      await vi.waitFor(() => {
        clock.advance(isAnswered ? 0 : 100);
        expect(isAnswered).toBe(true);
      });
      expect(clock.monotonic() - started).toBeGreaterThanOrEqual(refusalDelayMs);
      const response = await answer;
      expect(response.status).toBe(401);
      expect(response.headers.get('set-cookie')).toBeNull();
      expect(await response.json()).toEqual({
        success: false,
        error: 'This access token is not valid. It may have expired or been revoked',
      });
    }
  });

  it.each([
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
    ['a page on another port', { 'sec-fetch-site': 'same-site' }],
    ['another origin', { origin: 'http://127.0.0.1:1' }],
  ])('is not served by a cookie that %s sends', async (_, headers: Record<string, string>) => {
    const { signIn, newToken, call } = await start();
    const { secret } = await newToken('ada');
    const { sent } = await signIn(secret);
    expect(await call({ ...sent, ...headers })).toBe(403);
    expect((await signIn(secret, headers)).status).toBe(403);
  });

  it('cannot make the secret of a session open a server without tokens', async () => {
    const { signIn, newToken, browsers } = await start();
    const { sent } = await signIn((await newToken('ada')).secret);
    expect(() => browsers.open(sent.cookie.split('=')[1] ?? '')).toThrow('This browser is signed out');
  });

  it.each(['<img src=x onerror=1>', '"; Secure', '\u202Eevil', 'a\r\nSet-Cookie: x=1', '__proto__'])(
    'may have the name %j',
    async (name) => {
      const { signIn, newToken, send, audit } = await start();
      const { secret } = await newToken(name);
      const { sent, cookie } = await signIn(secret);
      expect(cookie).toMatch(/^rowbench=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/);
      expect(await (await send('/session', { headers: sent })).json()).toMatchObject({
        data: { user: { name } },
      });
      expect((await audit.list({ limit: 1 }))[0]?.tokenName).toBe(name);
    },
  );
});
