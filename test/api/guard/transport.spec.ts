import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from 'koa';
import { deferred, type Deferred } from '../../../src-main/base/deferred.ts';
import type { Log } from '../../../src-main/base/log.ts';
import { silentLog } from '../../../src-main/base/log.ts';
import type { RunningServer } from '../../../src-main/http/server.ts';
import { RawConnection, rawCall, type RawAnswer } from '../../builders/raw-http.ts';
import { rawGet, startSmallServer } from '../../builders/small-server.ts';

let server: RunningServer;
let handled: string[];
let gate: Deferred;
let logged: { requestId?: unknown; error?: unknown }[];

const log: Log = { ...silentLog, error: (fields) => void logged.push(fields) };

async function route(context: Context): Promise<void> {
  handled.push(context.path);
  if (context.path === '/throw') throw new TypeError(`secret key rbk_x at ${import.meta.filename}`);
  if (context.path === '/wait') await gate.promise;
  context.body = { success: true, data: { path: context.path } };
}

beforeEach(async () => {
  handled = [];
  logged = [];
  gate = deferred();
  server = await startSmallServer(route, { log });
});

afterEach(async () => {
  gate.resolve();
  // The server lives on after whatever a test has sent to it.
  expect((await rawCall(server.port, rawGet(server.port, '/canary')))?.status).toBe(200);
  await server.close();
});

const errorOf = (answer: RawAnswer | undefined): unknown => {
  const { success, error, ...rest } = JSON.parse(answer?.body ?? '{}') as Record<string, unknown>;
  expect({ success, rest }).toEqual({ success: false, rest: {} });
  expect(answer?.headers['content-type']).toBe('application/json; charset=utf-8');
  return error;
};

const host = (): string => `Host: 127.0.0.1:${server.port}\r\n`;

describe('every answer', () => {
  it.each(['/fine', '/throw'])(
    'of %s carries the protective headers, and no cookie or CORS header',
    async (path) => {
      const answer = await rawCall(server.port, rawGet(server.port, path));
      expect(answer?.headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      });
      const names = Object.keys(answer?.headers ?? {});
      expect(names.filter((name) => name.startsWith('access-control-') || name === 'set-cookie')).toEqual([]);
    },
  );

  it('to a bare line that is no request carries them too', async () => {
    const answer = await rawCall(server.port, 'nonsense\r\n\r\n');
    expect(answer?.headers).toMatchObject({ 'x-content-type-options': 'nosniff', connection: 'close' });
  });
});

describe('an unexpected error', () => {
  it('is a fixed text with a request id, which the log has with the error', async () => {
    const answer = await rawCall(server.port, rawGet(server.port, '/throw'));
    expect(answer?.status).toBe(500);
    const id = /^Internal error\. The log has more under the request id ([0-9a-f-]{36})$/.exec(
      String(errorOf(answer)),
    )?.[1];
    expect(logged).toEqual([{ requestId: id, error: expect.any(TypeError) as unknown }]);
  });
});

describe('who may ask', () => {
  it.each([
    'Host: evil.com',
    'Host: 127.0.0.1',
    'Host: ',
    'Host: 127.0.0.1:1',
    `Host: ${'a'.repeat(8192)}`,
    'Host: [::1',
    'Host: %00',
    'Host: l\xc3\xb6calhost',
    'X: no host at all',
  ])('is refused for %s', async (line) => {
    const answer = await rawCall(server.port, `GET / HTTP/1.1\r\n${line}\r\n\r\n`);
    expect(answer?.status).toBe(403);
    expect(errorOf(answer)).toBe(
      'The Host header does not name this server. The setting "allowedHosts" allows further names',
    );
    expect(handled).toEqual([]);
  });

  it('is refused for two Host headers', async () => {
    const answer = await rawCall(server.port, `GET / HTTP/1.1\r\n${host()}${host()}\r\n`);
    expect([400, 403]).toContain(answer?.status);
    expect(handled).toEqual([]);
  });

  it('is accepted by each of our names', async () => {
    for (const name of ['127.0.0.1', 'LOCALHOST', '[::1]']) {
      const answer = await rawCall(server.port, `GET / HTTP/1.1\r\nHost: ${name}:${server.port}\r\n\r\n`);
      expect(answer?.status).toBe(200);
    }
  });

  it.each(['*', 'http://127.0.0.1/', '/a#b'])('is refused for the request target %s', async (target) => {
    const answer = await rawCall(server.port, `OPTIONS ${target} HTTP/1.1\r\n${host()}\r\n`);
    expect([400, 403]).toContain(answer?.status);
    expect(handled).toEqual([]);
  });

  it.each([
    ['/api/v1/x', 'none', 200],
    ['/api/v1/x', 'same-origin', 200],
    ['/api/v1/x', 'same-site', 403],
    ['/openapi.json', 'cross-site', 403],
    ['/', 'none', 200],
    ['/assets/app.js', 'cross-site', 403],
    ['/_rowbench/v1/call/x', 'same-origin', 200],
    ['/_rowbench/v1/call/x', 'none', 403],
  ])('is decided by what the browser says: %s with Sec-Fetch-Site %s is %d', async (path, site, status) => {
    const answer = await rawCall(server.port, rawGet(server.port, path, [`Sec-Fetch-Site: ${site}`]));
    expect(answer?.status).toBe(status);
  });

  it.each(['null', 'http://evil.com', 'http://localhost:1'])(
    'is refused for the Origin %s',
    async (origin) => {
      const answer = await rawCall(server.port, rawGet(server.port, '/', [`Origin: ${origin}`]));
      expect(answer?.status).toBe(403);
      expect(errorOf(answer)).toBe('Requests from other origins are refused');
    },
  );

  it('is refused for CONNECT', async () => {
    const answer = await rawCall(server.port, `CONNECT 127.0.0.1:1 HTTP/1.1\r\n${host()}\r\n`);
    expect(answer?.status).toBe(405);
    errorOf(answer);
  });

  it('is judged the same when the connection should be upgraded', async () => {
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
    const answer = await rawCall(server.port, `GET / HTTP/1.1\r\nHost: evil.com\r\n${upgrade}\r\n`);
    expect(answer?.status).toBe(403);
  });
});

describe('what is not HTTP', () => {
  it.each([
    ['a length and chunks', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['two transfer encodings', 'Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n'],
    ['two lengths', 'Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcde'],
    ['a signed length', 'Content-Length: +4\r\n\r\nabcd'],
    ['a space before the colon', 'X-A : 1\r\n\r\n'],
    ['a folded header', 'X-A: 1\r\n 2\r\n\r\n'],
    ['a NUL in a header', 'X-A: 1\0\r\n\r\n'],
    ['a line ended by a bare LF', 'X-A: 1\nX-B: 2\r\n\r\n'],
  ])('gets 400 and no second chance: %s', async (_, rest) => {
    const connection = await RawConnection.open(server.port);
    connection.send(`POST / HTTP/1.1\r\n${host()}${rest}${rawGet(server.port, '/second')}`);
    const answer = await connection.answer();
    expect(answer?.status).toBe(400);
    expect(errorOf(answer)).toBe('Malformed HTTP request');
    expect(await connection.closed()).toBe('');
    expect(handled).not.toContain('/second');
  });

  it('in second place waits for the answer to the first, and is not executed', async () => {
    const connection = await RawConnection.open(server.port);
    connection.send(
      `${rawGet(server.port, '/wait')}GET /b HTTP/1.1\r\nbad header\r\n\r\n${rawGet(server.port, '/c')}`,
    );
    await expect.poll(() => handled).toEqual(['/wait']);
    gate.resolve();
    expect((await connection.answer())?.status).toBe(200);
    expect((await connection.answer())?.status).toBe(400);
    await connection.closed();
    expect(handled).toEqual(['/wait']);
  });
});

describe('headers', () => {
  it('of more than 16 KB get 431', async () => {
    const answer = await rawCall(server.port, rawGet(server.port, '/', [`X-Long: ${'a'.repeat(17 * 1024)}`]));
    expect(answer?.status).toBe(431);
    errorOf(answer);
  });

  it.each([
    [100, 200],
    [101, 431],
    [1000, 431],
  ])('may be 100: %d get %d', async (count, status) => {
    const lines = Array.from({ length: count - 1 }, (_, index) => `x${index}: 1`);
    const answer = await rawCall(server.port, rawGet(server.port, '/', lines));
    expect(answer?.status).toBe(status);
  });

  it('that expect something unknown get 417', async () => {
    const answer = await rawCall(server.port, rawGet(server.port, '/', ['Expect: miracles']));
    expect(answer?.status).toBe(417);
    errorOf(answer);
    expect(handled).toEqual([]);
  });
});

describe('a body that is never read', () => {
  it('does not hold up a refusal, and ends the connection', async () => {
    const connection = await RawConnection.open(server.port);
    connection.send(`POST / HTTP/1.1\r\nHost: evil.com\r\nContent-Length: 1000000000\r\n\r\n{"rows":[`);
    expect(await connection.answer()).toMatchObject({ status: 403, headers: { connection: 'close' } });
    connection.send(Buffer.alloc(1_000_000, 32));
    await connection.closed();
  });

  it('is not asked for when the client waits for 100 Continue', async () => {
    const connection = await RawConnection.open(server.port);
    connection.send(
      'POST / HTTP/1.1\r\nHost: evil.com\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n',
    );
    expect((await connection.answer())?.status).toBe(403);
    connection.cut();
  });

  it('ends the connection after a good answer too', async () => {
    const connection = await RawConnection.open(server.port);
    connection.send(rawGet(server.port, '/fine', ['Content-Length: 1000000000']));
    expect(await connection.answer()).toMatchObject({ status: 200, headers: { connection: 'close' } });
    await connection.closed();
  });
});

describe('a connection', () => {
  it('ends with its thousandth answer, and what was sent behind is not executed', async () => {
    const connection = await RawConnection.open(server.port);
    for (let sent = 0; sent < 1000; sent += 1) {
      connection.send(rawGet(server.port, '/a') + (sent === 999 ? rawGet(server.port, '/behind') : ''));
      const answer = await connection.answer();
      expect(answer?.headers['connection']).toBe(sent === 999 ? 'close' : 'keep-alive');
    }
    expect(await connection.closed()).toBe('');
    expect(handled).toHaveLength(1000);
    expect(handled).not.toContain('/behind');
  });
});

describe('300 connections that ask nothing', () => {
  it('do not keep a client from being served, nor break off an answer under way', async () => {
    const waiting = await RawConnection.open(server.port);
    waiting.send(rawGet(server.port, '/wait'));
    await expect.poll(() => handled).toEqual(['/wait']);
    const idle = [];
    for (let count = 0; count < 300; count += 1) idle.push(await RawConnection.open(server.port));
    expect((await rawCall(server.port, rawGet(server.port, '/a')))?.status).toBe(200);
    gate.resolve();
    expect((await waiting.answer())?.status).toBe(200);
    for (const connection of [waiting, ...idle]) connection.cut();
  });
});

describe('closing', () => {
  it('lets an answer under way come to its end, and takes no new request', async () => {
    const connection = await RawConnection.open(server.port);
    connection.send(rawGet(server.port, '/wait'));
    await expect.poll(() => handled).toEqual(['/wait']);
    const closing = server.close();
    await expect(RawConnection.open(server.port)).rejects.toThrow('ECONNREFUSED');
    gate.resolve();
    expect(await connection.answer()).toMatchObject({ status: 200, headers: { connection: 'close' } });
    await closing;
    server = await startSmallServer(route, { log });
  });
});
