import { describe, expect, it } from 'vitest';
import {
  describeDifference,
  matchText,
  recordRequest,
  shownRequest,
  type MadeRequest,
} from '../../../../src-main/domain/cassette/match-request.ts';

const matchHeaders = ['content-type', 'x-tenant'];
const request = (rest: Partial<MadeRequest> = {}): MadeRequest => ({
  method: 'POST',
  url: 'https://api.example.com/search?a=1&b=2',
  headers: [['content-type', 'application/json']],
  body: '{"name":"Ada","tags":[1,2]}',
  ...rest,
});
const keyOf = (made: MadeRequest): string => matchText(recordRequest(made, matchHeaders), matchHeaders);

describe('requests are the same', () => {
  it.each([
    ['with the query in another order', { url: 'https://api.example.com/search?b=2&a=1' }],
    ['with a fragment', { url: 'https://api.example.com/search?a=1&b=2#top' }],
    [
      'with the fields of a JSON body in another order',
      { body: '{ "tags": [1.0, 2], "name": "\\u0041da" }' },
    ],
    [
      'with other headers that do not matter',
      {
        headers: [
          ['accept', 'text/html'],
          ['content-type', 'application/json'],
        ] as const,
      },
    ],
  ])('%s', (_, change) => {
    expect(keyOf(request(change))).toBe(keyOf(request()));
  });
});

const getOf = (query: string): string =>
  keyOf({ method: 'GET', url: `https://x.example/?${query}`, headers: [] });

describe('a query as it is written', () => {
  // Each second one is what versions wrote into cassettes that rewrote the query.
  it.each([
    ['q=a%20b', 'q=a+b'],
    ['flag&z=1', 'flag=&z=1'],
    ['t=~*', 't=%7E*'],
    ['s=%2f', 's=%2F'],
    ["q='!()", 'q=%27%21%28%29'],
    ['at=10:30,a/b', 'at=10%3A30%2Ca%2Fb'],
    ['p=100%', 'p=100%25'],
    ['page[]=1', 'page%5B%5D=1'],
    ['q=%C3%BC', 'q=%c3%bc'],
    ['a=1&&b=2&', 'a=1&b=2'],
  ])('matches its other spelling: %s', (written, rewritten) => {
    expect(getOf(written)).toBe(getOf(rewritten));
    expect(getOf(`y=9&${written}`)).toBe(getOf(`${rewritten}&y=9`));
  });

  it.each([
    ['q=a%2Bb', 'q=a+b'],
    ['q=a%26b=1', 'q=a&b=1'],
    ['q=%E9', 'q=%EF%BF%BD'],
    ['q=%E9', 'q=%E8'],
    ['q=A', 'q=a'],
    ['q=1=2', 'q=1'],
  ])('differs from another one: %s and %s', (one, other) => {
    expect(getOf(one)).not.toBe(getOf(other));
  });

  it('matches in any case of its escapes where it is not UTF-8', () => {
    expect(getOf('q=%e9')).toBe(getOf('q=%E9'));
  });
});

describe('requests differ', () => {
  it.each([
    ['in the method', { method: 'PUT' }, ['the method']],
    ['in the path', { url: 'https://api.example.com/find?a=1&b=2' }, ['the URL']],
    ['in the query', { url: 'https://api.example.com/search?a=1&b=3&c=4' }, ['the query (b, c)']],
    [
      'in the order of equal names in the query',
      { url: 'https://api.example.com/search?a=1&b=2&a=0' },
      ['the query (a)'],
    ],
    [
      'in a header that matters',
      { headers: [['x-tenant', 'one']] as const },
      ['the header content-type', 'the header x-tenant'],
    ],
    ['in a field of the body', { body: '{"name":"Bob","tags":[1,2]}' }, ['the body (name)']],
    ['in the order of a list', { body: '{"name":"Ada","tags":[2,1]}' }, ['the body (tags)']],
    [
      'in having an own field __proto__',
      { body: '{"name":"Ada","tags":[1,2],"__proto__":1}' },
      ['the body (__proto__)'],
    ],
    ['in a body of text', { body: 'name=Ada' }, ['the body']],
  ])('%s', (_, change, named) => {
    const [one, other] = [request(change), request()].map((made) => recordRequest(made, matchHeaders));
    expect(keyOf(request(change))).not.toBe(keyOf(request()));
    if (one !== undefined && other !== undefined)
      expect(describeDifference(one, other, matchHeaders)).toEqual(named);
  });

  it('in text, where each space counts', () => {
    const plain = (body: string): string => keyOf(request({ body }));
    expect(plain('{"a": 1} ')).toBe(plain('{"a":1}'));
    expect(plain('7 ')).not.toBe(plain('7'));
    expect(plain('{"a":1e400}')).not.toBe(plain('{"a":null}'));
  });
});

describe('what is kept of a request', () => {
  it('has the headers alone that tell requests apart, and JSON as JSON', () => {
    const made = request({
      headers: [
        ['cookie', 'me'],
        ['content-type', 'application/json'],
      ],
    });
    expect(recordRequest(made, matchHeaders)).toEqual({
      method: 'POST',
      url: 'https://api.example.com/search?a=1&b=2',
      headers: { 'content-type': 'application/json' },
      json: { name: 'Ada', tags: [1, 2] },
    });
  });

  it('is Base64 for bytes that are no text', () => {
    const made = recordRequest(request({ body: 'iVBORw==', isBase64: true }), matchHeaders);
    expect(made).toMatchObject({ base64: 'iVBORw==' });
    expect(made).not.toHaveProperty('text');
  });

  it('is text for a body that is deeper than any row', () => {
    const body = '['.repeat(100_000) + ']'.repeat(100_000);
    expect(recordRequest(request({ body }), matchHeaders)).toMatchObject({ text: body });
    expect(keyOf(request({ body }))).toBe(keyOf(request({ body })));
  });

  it('shows no value of its query in messages', () => {
    expect(shownRequest(request())).toBe('POST https://api.example.com/search?a=…&b=…');
  });
});
