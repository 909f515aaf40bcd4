import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Arrival } from '../../../src-main/http/arrival.ts';
import { checkRequest, localSite, publicSite, type RequestKind } from '../../../src-main/http/guard.ts';

const site = localSite(4170, ['host.docker.internal:4170']);
const arrival: Arrival = { client: '127.0.0.1', isSecure: false };

const check = (headers: readonly string[], kind: RequestKind = 'public', url = '/api/v1/x') =>
  checkRequest({ rawHeaders: headers, url, kind, site, arrival });

describe('the Host header', () => {
  it.each(['127.0.0.1:4170', 'localhost:4170', 'LOCALHOST:4170', '[::1]:4170', 'host.docker.internal:4170'])(
    'may be %s',
    (host) => {
      expect(check(['Host', host])).toBeUndefined();
    },
  );

  it.each([
    'evil.com',
    'evil.com:4170',
    '127.0.0.1',
    '127.0.0.1:4171',
    '0.0.0.0:4170',
    '127.1:4170',
    '2130706433:4170',
    'localhost.:4170',
    'x.localhost:4170',
    '127.0.0.1:4170.evil.com',
    'evil.com:fake@127.0.0.1',
    '',
    ' ',
    'a'.repeat(8192),
    '[::1',
    '%00',
    'löcalhost:4170',
    '127.0.0.1:4170 ',
    '127.0.0.1:04170',
  ])('may not be %j', (host) => {
    expect(check(['Host', host])).toBe(
      'The Host header does not name this server. The setting "allowedHosts" allows further names',
    );
  });

  it('must be there exactly once', () => {
    expect(check([])).toBeDefined();
    expect(check(['Host', '127.0.0.1:4170', 'hOST', '127.0.0.1:4170'])).toBeDefined();
  });
});

describe('Sec-Fetch-Site', () => {
  const site = (value: string, kind: RequestKind) =>
    check(['Host', 'localhost:4170', 'Sec-Fetch-Site', value], kind);

  it.each(['public', 'page'] as const)('lets same-origin and none through to %s', (kind) => {
    expect(site('same-origin', kind)).toBeUndefined();
    expect(site('none', kind)).toBeUndefined();
  });

  it('lets only same-origin through to control', () => {
    expect(site('same-origin', 'control')).toBeUndefined();
    expect(site('none', 'control')).toBeDefined();
  });

  it.each(['same-site', 'cross-site', '', 'Same-Origin', 'other'])('refuses %j everywhere', (value) => {
    for (const kind of ['public', 'page', 'control'] as const) expect(site(value, kind)).toBeDefined();
  });

  it('is refused twice', () => {
    const headers = [
      'Host',
      'localhost:4170',
      'Sec-Fetch-Site',
      'same-origin',
      'sec-fetch-site',
      'same-origin',
    ];
    expect(check(headers)).toBeDefined();
  });
});

describe('Origin', () => {
  const origin = (value: string) => check(['Host', 'localhost:4170', 'Origin', value]);

  it('may be our own, by the name that the client used', () => {
    expect(origin('http://localhost:4170')).toBeUndefined();
  });

  it.each([
    'null',
    '',
    'http://127.0.0.1:4170',
    'https://localhost:4170',
    'http://localhost:4171',
    'http://evil.com',
  ])('may not be %j', (value) => {
    expect(origin(value)).toBe('Requests from other origins are refused');
  });

  it('is refused twice, even when both are our own', () => {
    const own = ['Origin', 'http://localhost:4170', 'oRIGIN', 'http://localhost:4170'];
    expect(check(['Host', 'localhost:4170', ...own])).toBe('Requests from other origins are refused');
  });
});

describe('the request target', () => {
  it.each(['http://127.0.0.1:4170/api', '*', '', 'api/v1', '/api#x', '127.0.0.1:4170'])(
    'may not be %j',
    (url) => {
      expect(check(['Host', 'localhost:4170'], 'public', url)).toBe('The request target must be a path');
    },
  );

  it('may not be missing', () => {
    expect(
      checkRequest({ rawHeaders: ['Host', 'localhost:4170'], url: undefined, kind: 'page', site, arrival }),
    ).toBeDefined();
  });
});

describe('a server with a public URL', () => {
  const wrongHost = 'The Host header does not name this server. It must be the host of --public-url';
  const notSecure = 'This server is used over https. A proxy must send the header "X-Forwarded-Proto: https"';
  const otherOrigin = 'Requests from other origins are refused';
  const listensOn = [{ host: '10.0.0.5', port: 4170 }];
  const behindTls = publicSite({ publicOrigin: 'https://rowbench.example', listensOn, isEncrypted: true });
  const plain = publicSite({ publicOrigin: 'https://rowbench.example', listensOn, isEncrypted: false });
  const otherPort = publicSite({
    publicOrigin: 'https://rowbench.example:8443',
    listensOn,
    isEncrypted: true,
  });
  const stranger = { client: '203.0.113.7', isSecure: true };
  const local = { client: '127.0.0.1', isSecure: true };
  const localPlain = { client: '::1', isSecure: false };

  it.each([
    ['its name', behindTls, stranger, 'rowbench.example', undefined, undefined],
    ['its name in capitals', behindTls, stranger, 'ROWBENCH.example', undefined, undefined],
    ['its name with the default port', behindTls, stranger, 'rowbench.example:443', undefined, undefined],
    ['its name with another port', behindTls, stranger, 'rowbench.example:4170', undefined, wrongHost],
    ['its name with the port of the URL', otherPort, stranger, 'rowbench.example:8443', undefined, undefined],
    ['its name without the port of the URL', otherPort, stranger, 'rowbench.example', undefined, wrongHost],
    ['its address', behindTls, stranger, '10.0.0.5:4170', undefined, wrongHost],
    ['its address, from this machine', behindTls, local, '10.0.0.5:4170', undefined, undefined],
    ['a loopback name', behindTls, stranger, 'localhost:4170', undefined, wrongHost],
    [
      'a loopback name behind a silent proxy',
      plain,
      { ...stranger, client: '' },
      'localhost:4170',
      undefined,
      wrongHost,
    ],
    ['a loopback name, from this machine', behindTls, local, 'localhost:4170', undefined, undefined],
    ['a loopback name without TLS, from this machine', plain, localPlain, '[::1]:4170', undefined, undefined],
    ['a foreign name, from this machine', behindTls, local, 'evil.example', undefined, wrongHost],
    ['a subdomain', behindTls, stranger, 'x.rowbench.example', undefined, wrongHost],
    ['its name by http', plain, { ...stranger, isSecure: false }, 'rowbench.example', undefined, notSecure],
    ['its name by http, from this machine', plain, localPlain, 'rowbench.example', undefined, notSecure],
    ['its own origin', plain, stranger, 'rowbench.example', 'https://rowbench.example', undefined],
    [
      'its own origin, with the port in Host',
      plain,
      stranger,
      'rowbench.example:443',
      'https://rowbench.example',
      undefined,
    ],
    ['its origin by http', plain, stranger, 'rowbench.example', 'http://rowbench.example', otherOrigin],
    ['another origin', plain, stranger, 'rowbench.example', 'https://evil.example', otherOrigin],
    [
      'its origin on another port',
      plain,
      stranger,
      'rowbench.example',
      'https://rowbench.example:8443',
      otherOrigin,
    ],
    [
      'the local origin of a TLS port',
      behindTls,
      local,
      'localhost:4170',
      'https://localhost:4170',
      undefined,
    ],
    [
      'the local origin of a plain port',
      plain,
      localPlain,
      'localhost:4170',
      'http://localhost:4170',
      undefined,
    ],
    [
      'the local origin with the public host',
      plain,
      stranger,
      'rowbench.example',
      'http://localhost:4170',
      otherOrigin,
    ],
  ] as const)('answers or refuses %s', (_, names, from, host, origin, refusal) => {
    const rawHeaders = ['Host', host, ...(origin === undefined ? [] : ['Origin', origin])];
    expect(checkRequest({ rawHeaders, url: '/', kind: 'page', site: names, arrival: from })).toBe(refusal);
  });

  it('has loopback names alone without a public URL', () => {
    const alone = publicSite({ publicOrigin: undefined, listensOn, isEncrypted: false });
    const hostOf = (host: string, from: Arrival) =>
      checkRequest({ rawHeaders: ['Host', host], url: '/', kind: 'page', site: alone, arrival: from });
    expect(hostOf('localhost:4170', localPlain)).toBeUndefined();
    expect(hostOf('localhost:4170', stranger)).toBe(wrongHost);
  });
});

it('neither throws nor lets a foreign host through, whatever the headers are', () => {
  const name = fc.oneof(
    fc.constantFrom('Host', 'host', 'Origin', 'Sec-Fetch-Site', 'sec-fetch-site'),
    fc.string(),
  );
  const value = fc.oneof(
    fc.constantFrom(
      '127.0.0.1:4170',
      'localhost:4170',
      'null',
      'same-origin',
      'cross-site',
      'http://localhost:4170',
    ),
    fc.string({ unit: 'binary' }),
  );
  const headers = fc.array(fc.oneof(fc.tuple(name, value), fc.tuple(name)), { maxLength: 8 });
  const kind = fc.constantFrom<RequestKind>('public', 'control', 'page');
  fc.assert(
    fc.property(headers, kind, fc.oneof(fc.constant('/api'), fc.string()), (pairs, requestKind, url) => {
      const rawHeaders = pairs.flat();
      const refusal = checkRequest({ rawHeaders, url, kind: requestKind, site, arrival });
      if (refusal !== undefined) return;
      const hosts = rawHeaders.filter(
        (_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'host',
      );
      expect(hosts).toHaveLength(1);
      expect(site.origins.has(hosts[0]?.toLowerCase() ?? '')).toBe(true);
    }),
    { numRuns: 5000 },
  );
});
