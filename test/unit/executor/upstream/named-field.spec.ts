import { describe, expect, it } from 'vitest';
import { withBodyField, withParameter } from '../../../../src-main/executor/upstream/credentials.ts';
import type { Outgoing } from '../../../../src-main/executor/upstream/outgoing.ts';

const value = 'k"e y&=+';
const request = (body: string | undefined, type = 'application/json; charset=utf-8'): Outgoing => ({
  method: 'POST',
  url: new URL('https://x.example/'),
  headers: [['content-type', type]],
  body,
  hasOwnKey: false,
});

describe('a parameter', () => {
  it.each([
    ['', 'key=v'],
    ['a=%20b&c', 'a=%20b&c&key=v'],
    ['key=mine&a=1&k%65y=mine', 'a=1&key=v'],
  ])('is added to the query "%s" in place of one of its name', (query, expected) => {
    expect(withParameter(query, 'key', 'v')).toBe(expected);
  });

  it('is encoded', () => {
    expect(new URLSearchParams(withParameter('a=1', 'k e&y', value)).get('k e&y')).toBe(value);
  });
});

describe('a field of a body', () => {
  it.each(['{}', ' { } ', '{"a":12345678901234567890, "b":{}}\n', '{"key":"mine","a":1}'])(
    'is set in %s, and the rest stays',
    (body) => {
      const sent = String(withBodyField(request(body), 'key', value).body);
      expect(JSON.parse(sent)).toEqual({ ...(JSON.parse(body) as object), key: value });
      if (body.includes('123')) expect(sent).toContain('12345678901234567890');
    },
  );

  // The body was parsed and written again, which sent 812345678901234600.
  it('is not set in place of one of its name where another integer would lose digits', () => {
    const body = '{"key":"mine","id":812345678901234567}';
    expect(() => withBodyField(request(body), 'key', value)).toThrow(/leave the field out of the body/);
  });

  it('may have a name that means something else to JavaScript', () => {
    const { body } = withBodyField(request('{"__proto__":1}'), '__proto__', value);
    expect(body).toBe(`{"__proto__":${JSON.stringify(value)}}`);
  });

  it('is set in a form', () => {
    const { body } = withBodyField(request('a=1', 'application/x-www-form-urlencoded'), 'key', 'v');
    expect(body).toBe('a=1&key=v');
  });

  it.each([undefined, '', '[1]', 'null', '"text"', '{"a":'])('is refused for the body %s', (body) => {
    expect(() => withBodyField(request(body), 'key', value)).toThrow('JSON object or a form');
  });
});
