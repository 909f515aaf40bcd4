import { describe, expect, it } from 'vitest';
import { proxyOf } from '../../../../src-main/executor/upstream/environment-proxy.ts';

const env = { HTTPS_PROXY: 'http://proxy.example:3128', http_proxy: 'plain.example:8080' };
const found = (url: string, more: Record<string, string> = {}) =>
  proxyOf(new URL(url), { ...env, ...more })?.href;

describe('the proxy for a call', () => {
  it.each([
    ['https://api.example.com/', {}, 'http://proxy.example:3128/'],
    ['http://api.example.com/', {}, 'http://plain.example:8080/'],
    ['https://api.example.com/', { https_proxy: 'https://first.example' }, 'https://first.example/'],
    ['https://api.example.com/', { https_proxy: '' }, undefined],
    ['https://api.example.com/', { https_proxy: 'socks5://socks.example' }, undefined],
    ['https://api.example.com/', { https_proxy: 'http://a b' }, undefined],
  ])('of %s with %j is %s', (url, more, proxy) => {
    expect(found(url, more)).toBe(proxy);
  });

  it('is the one for all protocols where none of its own is named', () => {
    expect(proxyOf(new URL('https://a.example/'), { ALL_PROXY: 'http://all.example' })?.host).toBe(
      'all.example',
    );
    expect(proxyOf(new URL('https://a.example/'), {})).toBeUndefined();
  });

  it.each([
    ['https://api.example.com/', '*', true],
    ['https://api.example.com/', 'example.com', true],
    ['https://api.example.com/', '.example.com', true],
    ['https://api.example.com/', '*.EXAMPLE.com', true],
    ['https://api.example.com/', 'one.example, api.example.com:443', true],
    ['https://api.example.com/', 'api.example.com:8443', false],
    ['https://api.example.com:8443/', 'api.example.com:8443', true],
    ['https://badexample.com/', 'example.com', false],
    ['https://10.1.2.3/', '10.1.2.3', true],
    ['https://[2001:db8::1]/', '2001:db8::1', true],
    ['https://[2001:db8::1]:8443/', '[2001:db8::1]:8443', true],
    ['https://api.example.com/', '', false],
  ])('of %s with NO_PROXY=%s is left out: %s', (url, list, isLeftOut) => {
    expect(found(url, { NO_PROXY: list }) === undefined).toBe(isLeftOut);
  });
});
