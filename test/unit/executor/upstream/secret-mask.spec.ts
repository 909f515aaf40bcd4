import fc from 'fast-check';
import { expect, it } from 'vitest';
import { secretValuePattern } from '../../../../src-main/domain/secrets/secret.ts';
import { SecretMask } from '../../../../src-main/executor/upstream/secret-mask.ts';
import { computingMs } from '../../../builders/cpu-ratio.ts';

const value = `s3cret/"value"+with <odd> & ünïq=bits%`;
const mask = new SecretMask({ name: 'TOKEN', value });
const base64 = (text: string): string => Buffer.from(text).toString('base64');

it.each([
  ['as it is', value],
  ['JSON', JSON.stringify({ echo: value })],
  ['JSON that escapes slashes', JSON.stringify(value).replaceAll('/', '\\/')],
  ['a query', `https://h/?a=${encodeURIComponent(value)}&b=1`],
  ['a query with small escapes', encodeURIComponent(value).replace(/%../g, (e) => e.toLowerCase())],
  ['a form', new URLSearchParams({ a: value }).toString()],
  ['hexadecimal', Buffer.from(value).toString('hex')],
  ['base64', base64(value)],
  ['base64 for URLs', Buffer.from(value).toString('base64url')],
])('%s: the value is taken out', (_form, text) => {
  const masked = mask.text(`before ${text} after`);
  expect(masked).toContain('[secret TOKEN]');
  expect(masked).toMatch(/^before .* after$/s);
  for (const form of [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)])
    expect(masked).not.toContain(form);
});

it.each(['', 'u', 'us', 'use', 'user:', 'a longer user:'])(
  'base64 of the value after %j and before something else says nothing of it',
  (before) => {
    const masked = mask.text(base64(`${before}${value} and more`));
    expect(masked).toContain('[secret TOKEN]');
    const left = masked
      .split('[secret TOKEN]')
      .map((piece) => Buffer.from(piece, 'base64').toString('latin1'));
    const known = Buffer.from(value).toString('latin1');
    for (let at = 0; at + 4 <= known.length; at += 1)
      expect(left.join(' ')).not.toContain(known.slice(at, at + 4));
  },
);

it('no secret that can be stored comes through, whatever stands around it', () => {
  const values = fc.string({ minLength: 8, maxLength: 60 }).filter((text) => secretValuePattern.test(text));
  fc.assert(
    fc.property(values, fc.string(), fc.string(), (secret, before, after) => {
      const hiding = new SecretMask({ name: 'S', value: secret });
      const text = `${before}${secret}${after} ${base64(before + secret + after)} ${encodeURIComponent(secret)}`;
      const masked = hiding.text(text);
      const rest = masked.replaceAll('[secret S]', '');
      expect(rest.includes(secret) && !before.includes(secret) && !after.includes(secret)).toBe(false);
      expect(masked).not.toContain(base64(secret));
    }),
    { numRuns: 200 },
  );
});

const unicode = (text: string, digits = (hex: string) => hex): string =>
  text.replace(/./gs, (c) => `\\u${digits(c.charCodeAt(0).toString(16).padStart(4, '0'))}`);

it.each([
  ['as Go writes JSON', JSON.stringify(value).replace(/[<>&]/g, (c) => unicode(c))],
  ['as Python writes JSON', JSON.stringify(value).replace(/[^ -~]/g, (c) => unicode(c))],
  ['every character escaped', unicode(value)],
  ['escaped in capitals', unicode(value, (hex) => hex.toUpperCase())],
  [
    'every second character escaped',
    value.replace(/(.)(.)/gs, (_, a: string, b: string) => `${a}${unicode(b)}`),
  ],
  ['JSON in JSON', JSON.stringify(JSON.stringify(value).replace(/[<>&]/g, (c) => unicode(c)))],
  ['JavaScript', value.replace(/[^a-z]/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`)],
  ['a URL in a URL', encodeURIComponent(encodeURIComponent(value))],
  [
    'a URL of one byte a character',
    [...Buffer.from(value, 'latin1')].map((b) => `%${b.toString(16)}`).join(''),
  ],
  ['HTML', value.replace(/[<>&"]/g, (c) => `&#${c.charCodeAt(0)};`)],
  ['HTML in hexadecimal', value.replace(/[^a-z ]/g, (c) => `&#x00${c.charCodeAt(0).toString(16)};`)],
  [
    'HTML by name',
    value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('ü', '&uuml;'),
  ],
  ['what was not readable replaced', value.replace(/[üï]/g, '\ufffd')],
  ['UTF-8 read as one byte a character', Buffer.from(value).toString('latin1')],
  [
    'quoted-printable',
    value.replace(/[^A-Za-z0-9]/g, (c) => Buffer.from(c).toString('hex').replace(/../g, '=$&')),
  ],
  ['base64 that is escaped', Buffer.from(value).toString('base64').replaceAll('=', '\\u003d')],
])('%s: nothing of the value is left', (_form, text) => {
  expect(mask.text(`before ${text} after`)).toMatch(/^before "?(\\*")?\[secret TOKEN\](\\*")?"? after$/s);
});

it('the value as one byte a character is taken out', () => {
  const masked = Buffer.from(mask.bytes(Buffer.from(`a ${value} b`, 'latin1')));
  expect(masked.toString('latin1')).toBe('a [secret TOKEN] b');
});

it('a value of the greatest length is found, and one that differs at its end is not', () => {
  const long = Array.from({ length: 8192 }, (_, n) => 'abc&/%\\"é7'[(n * n) % 10]).join('');
  const hiding = new SecretMask({ name: 'S', value: long });
  expect(hiding.text(`a ${JSON.stringify({ long })} b`)).toBe('a {"long":"[secret S]"} b');
  expect(hiding.text(`${long.slice(0, -1)}x`)).toBe(`${long.slice(0, -1)}x`);
});

it.each(['\\', '%', '%25', '&', '&amp;', '\\u', 's3cret', 's3cret\\', 'x'])(
  '10 MB of %j are looked through in good time',
  (piece) => {
    const body = Buffer.alloc(10_000_000, piece);
    expect(computingMs(() => mask.bytes(body))).toBeLessThan(3000);
  },
);

it('bytes without a secret in them are the same bytes', () => {
  const bytes = Buffer.from([0xff, 0x00, 0xc3, 0x28]);
  expect(Buffer.from(mask.bytes(bytes)).equals(bytes)).toBe(true);
});
