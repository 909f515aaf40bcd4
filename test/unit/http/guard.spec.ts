import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkRequest, ownHosts, type RequestKind } from '../../../src-main/http/guard.ts';

const allowedHosts = ownHosts(4170, ['host.docker.internal:4170']);

const check = (headers: readonly string[], kind: RequestKind = 'public', url = '/api/v1/x') =>
  checkRequest({ rawHeaders: headers, url, kind, allowedHosts });

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
      checkRequest({ rawHeaders: ['Host', 'localhost:4170'], url: undefined, kind: 'page', allowedHosts }),
    ).toBeDefined();
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
      const refusal = checkRequest({ rawHeaders, url, kind: requestKind, allowedHosts });
      if (refusal !== undefined) return;
      const hosts = rawHeaders.filter(
        (_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'host',
      );
      expect(hosts).toHaveLength(1);
      expect(allowedHosts.has(hosts[0]?.toLowerCase() ?? '')).toBe(true);
    }),
    { numRuns: 5000 },
  );
});
