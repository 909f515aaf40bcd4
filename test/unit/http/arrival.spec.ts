import { describe, expect, it } from 'vitest';
import { isLoopbackAddress } from '../../../src-main/domain/upstream/address-class.ts';
import { mayConnect, proxiesOf, readArrival } from '../../../src-main/http/arrival.ts';

const proxies = proxiesOf(['10.0.0.2', '10.0.0.3', 'fd00::2']);

describe('a request through a trusted proxy', () => {
  const through = (headers: readonly string[], peer = '10.0.0.2') =>
    readArrival({ peer, isEncrypted: false, rawHeaders: headers }, proxies);

  it.each([
    ['the client that the proxy names', ['X-Forwarded-For', '203.0.113.7'], '203.0.113.7'],
    [
      'the last one, whatever the client claims',
      ['X-Forwarded-For', '127.0.0.1, 203.0.113.7'],
      '203.0.113.7',
    ],
    [
      'the last one of several headers',
      ['X-Forwarded-For', '127.0.0.1', 'x-forwarded-for', '203.0.113.7'],
      '203.0.113.7',
    ],
    ['the client before further proxies', ['X-Forwarded-For', '203.0.113.7, 10.0.0.3'], '203.0.113.7'],
    ['the client without its port', ['X-Forwarded-For', '203.0.113.7:5120'], '203.0.113.7'],
    ['the IPv6 client without its port', ['X-Forwarded-For', '[2001:db8::7]:5120'], '2001:db8::7'],
    ['no client when the proxy names none', [], ''],
    ['no client when only proxies are named', ['X-Forwarded-For', '10.0.0.3'], ''],
  ])('has %s', (_, headers, client) => {
    expect(through(headers).client).toBe(client);
  });

  it.each([
    [['X-Forwarded-Proto', 'https'], true],
    [['x-forwarded-proto', 'HTTPS'], true],
    [['X-Forwarded-Proto', 'http'], false],
    [['X-Forwarded-Proto', 'https, http'], false],
    [['X-Forwarded-Proto', 'https', 'X-Forwarded-Proto', 'https'], false],
    [[], false],
  ])('with %j came by https: %s', (headers, isSecure) => {
    expect(through(headers).isSecure).toBe(isSecure);
  });

  it('is known by any form of the address', () => {
    expect(through(['X-Forwarded-For', '203.0.113.7'], '::ffff:10.0.0.2').client).toBe('203.0.113.7');
    expect(through(['X-Forwarded-For', '203.0.113.7'], 'fd00:0:0::2').client).toBe('203.0.113.7');
  });

  it('over TLS of our own is secure unless the proxy says otherwise', () => {
    const received = { peer: '10.0.0.2', isEncrypted: true };
    expect(readArrival({ ...received, rawHeaders: [] }, proxies).isSecure).toBe(true);
    expect(readArrival({ ...received, rawHeaders: ['X-Forwarded-Proto', 'http'] }, proxies).isSecure).toBe(
      false,
    );
  });
});

it('forwarding headers of any other peer count for nothing', () => {
  const rawHeaders = ['X-Forwarded-For', '127.0.0.1', 'X-Forwarded-Proto', 'https'];
  expect(readArrival({ peer: '203.0.113.9', isEncrypted: false, rawHeaders }, proxies)).toEqual({
    client: '203.0.113.9',
    isSecure: false,
  });
});

describe('a connection', () => {
  it.each([
    ['10.0.0.2', true],
    ['::ffff:10.0.0.2', true],
    ['127.0.0.1', true],
    ['::1', true],
    ['10.0.0.4', false],
    ['64:ff9b::10.0.0.2', false],
    ['203.0.113.7', false],
    ['', false],
  ])('from %s is accepted behind proxies: %s', (peer, isAccepted) => {
    expect(mayConnect(peer, proxies, isLoopbackAddress)).toBe(isAccepted);
  });

  it('is accepted from anywhere without proxies', () => {
    expect(mayConnect('203.0.113.7', proxiesOf([]), isLoopbackAddress)).toBe(true);
  });
});

it.each([
  ['127.0.0.1', true],
  ['127.255.255.254', true],
  ['::1', true],
  ['0:0:0:0:0:0:0:1', true],
  ['::ffff:127.0.0.1', true],
  ['2002:7f00:1::', false],
  ['64:ff9b::7f00:1', false],
  ['::127.0.0.1', false],
  ['0.0.0.0', false],
  ['::', false],
  ['10.0.0.1', false],
  ['128.0.0.1', false],
  ['localhost', false],
  ['', false],
])('%s is a loopback address: %s', (address, isLoopback) => {
  expect(isLoopbackAddress(address)).toBe(isLoopback);
});
