import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { awakeMsOf } from '../../builders/awake-ms.ts';
import { testBroker } from '../../builders/test-broker.ts';
import {
  bytes,
  hang,
  hangInBody,
  inSequence,
  json,
  reset,
  startUpstream,
} from '../../builders/upstream-server.ts';

describe('a call', () => {
  it('sends what the node asked for, and nothing about this machine', async () => {
    const upstream = await startUpstream();
    const { ask } = testBroker();
    const url = upstream.url('/things?a=1&b=%20x');
    await ask({
      url,
      method: 'POST',
      headers: [
        ['x-mine', 'Zoë'],
        ['content-type', 'text/plain'],
      ],
      body: 'héllo',
    });
    const [call] = upstream.calls;
    expect(call).toMatchObject({
      method: 'POST',
      url: '/things?a=1&b=%20x',
      body: 'héllo',
      key: 'run/row/node',
    });
    expect(call?.headers).toEqual({
      host: `127.0.0.1:${upstream.port}`,
      connection: 'keep-alive',
      'user-agent': 'Rowbench/test',
      'x-mine': 'Zoë',
      'content-type': 'text/plain',
      'accept-encoding': 'gzip, deflate',
      'idempotency-key': 'run/row/node',
      'content-length': '6',
    });
  });

  it('sends the bytes that Base64 stands for', async () => {
    const upstream = await startUpstream();
    await testBroker().ask({
      url: upstream.url('/files'),
      method: 'POST',
      headers: [],
      body: Buffer.from([0xff, 0x41, 0x00]).toString('base64'),
      isBase64: true,
    });
    expect(upstream.calls).toMatchObject([{ body: '\ufffdA\0', headers: { 'content-length': '3' } }]);
  });

  it('hears the status, the headers and the body', async () => {
    const upstream = await startUpstream({
      '/': (_call, response) => {
        response.setHeader('set-cookie', ['a=1', 'b=2']);
        response.writeHead(418, { 'X-Thing': 'yes', __proto__: 'own' }).end('{"n":1}');
      },
    });
    const heard = await testBroker().ask(upstream.url('/'));
    expect(heard).toMatchObject({ kind: 'answered', status: 418, text: '{"n":1}' });
    expect(heard.kind === 'answered' && heard.headers.get('x-thing')).toBe('yes');
    expect(heard.kind === 'answered' && heard.headers.get('set-cookie')).toBe('a=1, b=2');
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
  ] as const)(
    'a body in %s is decoded, and its headers no longer say otherwise',
    async (encoding, encode) => {
      const text = 'äöü '.repeat(50_000);
      const upstream = await startUpstream({ '/': bytes(encode(text), { 'content-encoding': encoding }) });
      const heard = await testBroker().ask(upstream.url('/'));
      expect(heard).toMatchObject({ kind: 'answered', text });
      expect(heard.kind === 'answered' && [...heard.headers.keys()]).not.toContain('content-encoding');
      expect(heard.kind === 'answered' && [...heard.headers.keys()]).not.toContain('content-length');
    },
  );

  // Raw deflate failed with Z_DATA_ERROR; browsers and curl read it.
  it.each([
    ['raw, whatever the body', deflateRawSync],
    ['with the header of zlib', deflateSync],
    ['that is gzip', gzipSync],
  ] as const)('deflate %s is decoded', async (_, encode) => {
    const texts = ['', 'a', 'x'.repeat(70_000), ...Array.from({ length: 60 }, (_, at) => `{"n":${at ** 5}}`)];
    const bodies = texts.map((text) => encode(text, { level: text.length % 10 }));
    const pages = bodies.map(
      (body, at) => [`/${at}`, bytes(body, { 'content-encoding': 'deflate' })] as const,
    );
    const upstream = await startUpstream(Object.fromEntries(pages));
    const { ask } = testBroker();
    const heard = await Promise.all(texts.map((_, at) => ask(upstream.url(`/${at}`))));
    expect(heard.map((answer) => answer.kind === 'answered' && answer.text)).toEqual(texts);
  });

  it('two encodings are undone in their order', async () => {
    const body = gzipSync(deflateSync('twice'));
    const upstream = await startUpstream({ '/': bytes(body, { 'content-encoding': 'deflate, gzip' }) });
    expect(await testBroker().ask(upstream.url('/'))).toMatchObject({ text: 'twice' });
  });

  it.each([
    ['HEAD', 200],
    ['GET', 204],
    ['GET', 304],
    ['GET', 200],
  ])('%s answered %i without a body, though encoded by its headers, is an answer', async (method, status) => {
    const upstream = await startUpstream({ '/': bytes('', { 'content-encoding': 'gzip' }, status) });
    expect(await testBroker().ask({ url: upstream.url('/'), method })).toMatchObject({
      kind: 'answered',
      status,
      text: '',
    });
  });

  it('says what Retry-After asked for', async () => {
    const upstream = await startUpstream({
      '/a': json({}, 429, { 'retry-after': '7' }),
      '/b': json({}, 503, { 'retry-after': '99999999' }),
      '/c': json({}, 503, { 'retry-after': '-1' }),
    });
    const { call } = testBroker();
    const delays = [];
    for (const path of ['/a', '/b', '/c']) {
      const answer = await call(upstream.url(path));
      delays.push(answer.kind === 'answered' ? answer.retryAfterMs : answer);
    }
    expect(delays).toEqual([7000, 60_000, undefined]);
  });

  it('leaves its connection to the next', async () => {
    const ports = new Set<number | undefined>();
    const upstream = await startUpstream({
      '/': (call, response) => {
        ports.add(response.req.socket.remotePort);
        json({})(call, response);
      },
    });
    const { ask } = testBroker();
    for (let n = 0; n < 20; n += 1) await ask(upstream.url('/'));
    // The second is opened by a call that comes before the first connection knows that it is free.
    expect(ports.size).toBeLessThanOrEqual(2);
  });
});

describe('a call that goes wrong is a message, not an exception', () => {
  const shown = (url: string, words: string) => ({ kind: 'failed', message: `GET ${url} ${words}` });
  const refused = (url: string, words: string) => ({ ...shown(url, words), isFinal: true });

  it('no server listens', async () => {
    const upstream = await startUpstream();
    await upstream.close();
    expect(await testBroker().ask(upstream.url('/x?key=abc'))).toEqual(
      shown(upstream.url('/x?key=…'), 'was not answered: the connection was refused (ECONNREFUSED)'),
    );
  });

  it('the connection is closed before an answer', async () => {
    const upstream = await startUpstream({ '/': reset });
    expect(await testBroker().ask(upstream.url('/'))).toEqual(
      shown(upstream.url('/'), 'was not answered in full: the connection was closed (UND_ERR_SOCKET)'),
    );
    expect(upstream.count('/')).toBe(1);
  });

  it('no answer begins in time', async () => {
    const upstream = await startUpstream({ '/': hang });
    const { ask } = testBroker({ bounds: { headMs: 50 } });
    expect(await ask(upstream.url('/'))).toEqual(shown(upstream.url('/'), 'was not answered within 50 ms'));
  });

  it('an answer does not end in time', async () => {
    const upstream = await startUpstream({ '/': hangInBody });
    const { ask } = testBroker({ bounds: { totalMs: 50 } });
    expect(await ask(upstream.url('/'))).toEqual(shown(upstream.url('/'), 'timed out after 50 ms'));
  });

  it('the limit that a call names is the only one', async () => {
    const upstream = await startUpstream({ '/': hang });
    const { ask } = testBroker({ bounds: { headMs: 1, totalMs: 1 } });
    expect(await ask({ url: upstream.url('/'), timeoutMs: 60 })).toEqual(
      shown(upstream.url('/'), 'timed out after 60 ms'),
    );
  });

  it('a name that no host has', async () => {
    const lookup = () => Promise.reject(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }));
    expect(await testBroker({ lookup }).ask('http://nowhere.example/')).toEqual(
      shown('http://nowhere.example/', 'was not answered: no host has that name (ENOTFOUND)'),
    );
  });

  it('a body that is not what its header says', async () => {
    const upstream = await startUpstream({
      '/gzip': bytes('no gzip', { 'content-encoding': 'gzip' }),
      '/br': bytes('x', { 'content-encoding': 'br' }),
      '/cut': bytes(gzipSync('x'.repeat(1000)).subarray(0, 20), { 'content-encoding': 'gzip' }),
      '/other': bytes('x', { 'content-encoding': 'compress' }),
    });
    const { ask } = testBroker();
    const heard = await Promise.all(
      ['/gzip', '/br', '/cut', '/other'].map((path) => ask(upstream.url(path))),
    );
    expect(
      heard.map((answer) => answer.kind === 'failed' && answer.message.replace(/^\S+ \S+ /, '')),
    ).toEqual([
      'was answered with a body that is not gzip (Z_DATA_ERROR)',
      'was answered with a body that is encoded as "br"',
      'was answered with a body that is not gzip (Z_BUF_ERROR)',
      'was answered with a body that is encoded as "compress"',
    ]);
  });

  it.each([
    ['not a url', 'is refused: it is not a URL'],
    ['', 'is refused: it is not a URL'],
    ['http://127.0.0.1/\r\nHost: other', 'is refused: it is not a URL'],
    ['http://127.0.0.1/\u0000', 'is refused: it is not a URL'],
    ['ht\ntp://127.0.0.1/', 'is refused: it is not a URL'],
    ['http://127.0.0.1\t/', 'is refused: it is not a URL'],
    ['file:///etc/passwd', 'is refused: only http and https can be called'],
    ['gopher://127.0.0.1/', 'is refused: only http and https can be called'],
    ['data:text/plain,x', 'is refused: only http and https can be called'],
    ['ftp://127.0.0.1/', 'is refused: only http and https can be called'],
    [
      'http://user@127.0.0.1/',
      'is refused: the URL has a user name; give credentials as a secret, with auth',
    ],
    [
      'http://user:pass@127.0.0.1/',
      'is refused: the URL has a user name; give credentials as a secret, with auth',
    ],
  ])('the URL %j', async (url, words) => {
    const heard = await testBroker().ask(url);
    expect(heard.kind === 'failed' && heard.message.endsWith(words)).toBe(true);
    expect(JSON.stringify(heard)).not.toContain('user:');
  });

  it.each([
    'host',
    'Content-Length',
    'transfer-encoding',
    'connection',
    'keep-alive',
    'te',
    'trailer',
    'upgrade',
    'expect',
    'proxy-authorization',
    'accept-encoding',
  ])('the header %s', async (name) => {
    const upstream = await startUpstream();
    expect(await testBroker().ask({ url: upstream.url('/'), headers: [[name, '1']] })).toEqual(
      refused(upstream.url('/'), `is refused: the header ${name.toLowerCase()} can only be set by Rowbench`),
    );
    expect(upstream.calls).toEqual([]);
  });

  it.each([
    [['x', 'a\r\nb: c'], 'is refused: the header x has characters that no header can carry'],
    [['x', 'a\u0000'], 'is refused: the header x has characters that no header can carry'],
    [['x', '日本'], 'is refused: the header x has characters that no header can carry'],
    [['a b', 'c'], 'is refused: "a b" is not the name of a header'],
    [['', 'c'], 'is refused: "" is not the name of a header'],
  ] as const)('the header %j', async (header, words) => {
    const upstream = await startUpstream();
    expect(await testBroker().ask({ url: upstream.url('/'), headers: [header] })).toEqual(
      refused(upstream.url('/'), words),
    );
    expect(upstream.calls).toEqual([]);
  });

  it.each(['CONNECT', 'TRACE', 'GET / HTTP/1.1\r\n', ''])('the method %j', async (method) => {
    const upstream = await startUpstream();
    expect(await testBroker().ask({ url: upstream.url('/'), method })).toMatchObject({ kind: 'failed' });
    expect(upstream.calls).toEqual([]);
  });
});

describe('cancelling', () => {
  it('ends a call within milliseconds, wherever it is', async () => {
    const upstream = await startUpstream({ '/hang': hang, '/body': hangInBody });
    const { call } = testBroker();
    const times = 3;
    for (const path of ['/hang', '/body']) {
      const took: number[] = [];
      for (let calls = 1; calls <= times; calls += 1) {
        const controller = new AbortController();
        const reason = new Error('cancelled');
        const answered = call(upstream.url(path), { signal: controller.signal });
        await expect.poll(() => upstream.count(path)).toBe(calls);
        const ended = async (): Promise<void> => {
          controller.abort(reason);
          await expect(answered).rejects.toBe(reason);
        };
        took.push(await awakeMsOf(ended));
      }
      // The code is compiled during the first one.
      expect(Math.min(...took)).toBeLessThan(100);
    }
    await expect.poll(() => upstream.abandoned()).toBe(2 * times);
  });

  it('makes no call when it came first', async () => {
    const upstream = await startUpstream();
    await expect(
      testBroker().call(upstream.url('/'), { signal: AbortSignal.abort(new Error('gone')) }),
    ).rejects.toThrow('gone');
    expect(upstream.calls).toEqual([]);
  });
});

it('an answer after a failure is an answer', async () => {
  const upstream = await startUpstream({ '/': inSequence(reset, json({ n: 1 })) });
  const { ask } = testBroker();
  expect([(await ask(upstream.url('/'))).kind, (await ask(upstream.url('/'))).kind]).toEqual([
    'failed',
    'answered',
  ]);
});
