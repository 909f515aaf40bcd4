import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  maskBeginning,
  maskHeaders,
  maskKeys,
  maskTarget,
  otherKeyHeader,
} from '../../../../src-main/domain/api-log/mask-keys.ts';

const key = 'rbk_0123456789abcdefghijABCDEFGHIJ-_0123456789a';

describe('what is noted of a call', () => {
  it.each([
    'x-service-key',
    'Authorization',
    'X-Api-Key',
    'Cookie',
    'x-rowbench-token',
    'Proxy-Authorization',
  ])('has no value of %s', (name) => {
    const { headers } = maskHeaders([name, `Bearer ${key}`, 'Accept', '*/*'], undefined);
    expect(headers).toEqual([
      [name, '•••'],
      ['Accept', '*/*'],
    ]);
  });

  it('has no value of a header that a setting made the key’s', () => {
    expect(maskHeaders(['X-Acme', 'abcdefghijk'], 'x-acme').headers).toEqual([['X-Acme', '•••']]);
  });

  it('has a key nowhere, wherever a client has put it', () => {
    const { headers, values } = maskHeaders(
      [
        'x-service-key',
        'ci-key-of-mine',
        'Referer',
        '/?k=ci-key-of-mine',
        'authorization',
        'Basic c2VjcmV0czpz',
      ],
      undefined,
    );
    expect(JSON.stringify(headers)).not.toMatch(/ci-key-of-mine|c2VjcmV0czpz/);
    expect(maskKeys('{"a":"ci-key-of-mine","b":"c2VjcmV0czpz"}', values)).toBe('{"a":"•••","b":"•••"}');
    expect(maskTarget(`/api/v1/x?api_key=abc&n=1&token=${key}`, values)).toBe(
      '/api/v1/x?api_key=•••&n=1&token=•••',
    );
    expect(maskTarget(`/api/${key}/x`, [])).toBe('/api/rbk_•••/x');
  });

  it('has no key that is encoded for an address or escaped for JSON', () => {
    const rest = key.slice('rbk_'.length);
    for (const joint of ['%5F', '%5f', '\\u005f', '\\u005F', '\\\\u005f']) {
      expect(maskKeys(`"rbk${joint}${rest}"`, [])).toBe('"rbk_•••"');
      expect(maskTarget(`/api/rbk${joint}${rest}/x`, [])).toBe('/api/rbk_•••/x');
    }
    const { values } = maskHeaders(['x-service-key', 'ci/key"of+mine'], undefined);
    expect(maskKeys('{"a":"ci/key\\"of+mine"}', values)).toBe('{"a":"•••"}');
    expect(maskTarget('/api/ci%2Fkey%22of%2Bmine/x', values)).toBe('/api/•••/x');
  });

  it.each<[string, (text: string) => string]>([
    ['with capital digits', (text) => inHex(text, (code) => `%${code.toUpperCase()}`)],
    ['with small digits', (text) => inHex(text, (code) => `%${code}`)],
    ['twice', (text) => inHex(text, (code) => `%25${code}`)],
    ['as JSON', (text) => inHex(text, (code) => `\\u00${code}`)],
    ['as JSON in JSON', (text) => inHex(text, (code) => `\\\\u00${code.toUpperCase()}`)],
    [
      'here and there',
      (text) => text.replaceAll(/[aeiou0-5r]/g, (letter) => inHex(letter, (code) => `%${code}`)),
    ],
  ])('has no key of which each letter is encoded %s', (_, encoded) => {
    const own = 'ci-key/of+mine:0123456789';
    const { values } = maskHeaders(['x-service-key', own], undefined);
    expect(maskTarget(`/a%20b/${encoded(key)}/x?n=${encoded(own)}&m=%7e`, values)).toBe(
      '/a%20b/rbk_•••/x?n=•••&m=%7e',
    );
    expect(maskKeys(`{"a":"\\n${encoded(own)}\\n${encoded(key)}"}`, values)).toBe('{"a":"\\n•••\\nrbk_•••"}');
    fc.assert(
      fc.property(fc.integer({ min: 6, max: own.length - 1 }), fc.nat(6), (letters, cut) => {
        const begun = encoded(own.slice(0, letters));
        const shown = maskBeginning(`abc ${begun.slice(0, begun.length - cut)}`, values);
        expect(shown).toMatch(/^abc (?:•••)?[^•]{0,24}$/);
        expect(shown.length).toBeLessThan(30);
      }),
    );
  });

  it('has no parameter that opens something, however its name is written', () => {
    expect(maskTarget('/x?%61pi_%6bey=abc&n=1', [])).toBe('/x?%61pi_%6bey=•••&n=1');
  });

  it('has no part of a key where its beginning is cut', () => {
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 46 }), fc.nat(20), (cut, before) => {
        const text = 'y'.repeat(before) + 'ci-key-0123456789-0123456789-0123456789-012345678'.slice(0, cut);
        const shown = maskBeginning(text, ['ci-key-0123456789-0123456789-0123456789-012345678']);
        expect(shown).toBe(`${'y'.repeat(before)}•••`);
      }),
    );
  });

  it('names the header that a client took for the right one', () => {
    expect(otherKeyHeader(['Host', 'h', 'Authorization', 'x'], ['x-service-key'])).toBe('authorization');
    expect(otherKeyHeader(['Host', 'h', 'x-service-key', 'x'], ['x-service-key'])).toBeUndefined();
  });
});

const inHex = (text: string, write: (code: string) => string): string =>
  [...text].map((letter) => write(letter.charCodeAt(0).toString(16).padStart(2, '0'))).join('');
