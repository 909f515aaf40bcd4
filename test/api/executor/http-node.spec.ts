import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src-main/base/virtual-clock.ts';
import { emptyCassette } from '../../../src-main/domain/cassette/cassette.ts';
import type { UpstreamAnswer } from '../../../src-main/executor/ports.ts';
import { ReplayingUpstream } from '../../../src-main/executor/upstream/cassette/replaying-upstream.ts';
import { planOf, runRows, testPool } from '../../builders/execution-rig.ts';
import { answered, jsonAnswer, scriptedUpstream } from '../../builders/scripted-upstream.ts';

const nodesOf = (own: string, value = '=nodes.call', more = ''): string => `
${more}
nodes:
  - { id: input, type: input }
  - { id: call, type: http, ${own} }
  - { id: out, type: output, fields: { got: "${value}" } }`;

const toUrl = 'request: { url: "https://api.example.com/a?token=hush" }';

async function callsOf(own: string, row: object = {}) {
  const upstream = scriptedUpstream(() => jsonAnswer(1));
  const done = await runRows(nodesOf(own), { pool: testPool(), rows: [row], upstream });
  return { ...done, requests: upstream.requests };
}

async function gotOf(answer: UpstreamAnswer, own = toUrl) {
  const upstream = scriptedUpstream(() => answer);
  const done = await runRows(nodesOf(own), { pool: testPool(), rows: [{}], upstream });
  return done.outcome.kind === 'failed' ? done.outcome.error : (done.outputs[0] as { got: unknown }).got;
}

describe('what an http node asks for', () => {
  it('is a GET without body unless it says otherwise', async () => {
    const { requests } = await callsOf('request: { url: "https://api.example.com/companies/{{ row.id }}" }', {
      id: 7,
    });
    expect(requests).toEqual([{ method: 'GET', url: 'https://api.example.com/companies/7', headers: [] }]);
  });

  it('has an encoded query, header names in lower case, and the secret by name alone', async () => {
    const own = `request: { url: "https://x.example/s?a=1", query: { q: "=row.q", tag: "=row.tags", none: null, n: 3 },
      headers: { X-Trace: "{{ row.q }}", x-none: null } }, auth: { secret: CRM_TOKEN }, timeout: 4s`;
    const { requests } = await callsOf(own, { q: 'a&b=ü', tags: ['one', 'two'] });
    expect(requests).toEqual([
      {
        method: 'GET',
        url: 'https://x.example/s?a=1&q=a%26b%3D%C3%BC&tag=one&tag=two&n=3',
        headers: [['x-trace', 'a&b=ü']],
        auth: { secret: 'CRM_TOKEN' },
        timeoutMs: 4000,
      },
    ]);
  });

  it('asks for the redirect itself where the file says so, and gives the final address of a followed one', async () => {
    const own = (redirect: string) => `request: { url: "https://x.example/s", redirect: ${redirect} }`;
    expect((await callsOf(own('answer'))).requests).toMatchObject([{ redirect: 'answer' }]);
    expect((await callsOf(own('follow'))).requests[0]).not.toHaveProperty('redirect');
    expect(await gotOf(jsonAnswer(1, { url: 'https://y.example/' }))).toMatchObject({
      url: 'https://y.example/',
    });
    expect(await gotOf(jsonAnswer(1))).not.toHaveProperty('url');
  });

  it.each([{}, { id: '' }, { id: null }])('has no empty idempotency key: %j', async (row) => {
    const own = `request: { url: "https://x.example", headers: { Idempotency-Key: "=row.id" } }, retry: { attempts: 3 }`;
    const { requests, outcome } = await callsOf(own, row);
    expect(requests).toEqual([]);
    expect(outcome).toMatchObject({ error: expect.stringContaining('"idempotency-key" is empty') as string });
    expect((await callsOf(own, { id: 'order-7' })).requests).toMatchObject([
      { headers: [['idempotency-key', 'order-7']] },
    ]);
  });

  // The whole query was decoded and encoded again: `%E9` became `%EF%BF%BD`, `flag` became `flag=`.
  it.each([
    [
      'url: "https://x.example/s?flag&p=a%20b&c=%E9&t=~&s=%2f&v={{ row.v }}", query: { z: 1 }',
      '?flag&p=a%20b&c=%E9&t=~&s=%2f&v=a%20b%2Bc&z=1',
    ],
    ['url: "=row.url", query: { "a b": "=row.v" }', '?X-Date=2031%2001&sig=%e9*&a%20b=a%20b%2Bc'],
    ['url: "https://x.example/s", query: { q: "=row.lines" }', '?q=a%0Ab'],
    ['url: "https://x.example/s?", query: { q: 1 }', '?q=1'],
    ['url: "https://x.example/s?flag&t=%E9", query: { z: null }', '?flag&t=%E9'],
  ])('keeps the query as it is written: %s', async (own, query) => {
    const row = { v: 'a b+c', url: 'https://x.example/s?X-Date=2031%2001&sig=%e9*', lines: 'a\nb' };
    const { requests } = await callsOf(`request: { ${own} }`, row);
    expect(requests.map(({ url }) => url)).toEqual([`https://x.example/s${query}`]);
  });

  it('is found in a cassette whose queries were rewritten', async () => {
    const own = `request: { url: "https://x.example/s?flag&at=10:30&p=a%20b&t=~&s=%2f&v={{ row.v }}",
      query: { q: "=row.q", "tag[]": [1, two] } }, repeat: { while: round < 2, next: { query: { page: =round } } }`;
    const query =
      'flag=&at=10%3A30&p=a+b&t=%7E&s=%2F&v=x+y%2Bz&q=its+%2850%25%29+%C3%BC%7E&tag%5B%5D=1&tag%5B%5D=two';
    const entries = ['', '&page=2'].map((page) => ({
      request: { method: 'GET', url: `https://x.example/s?${query}${page}` },
      responses: [{ status: 200, json: `page${page}` }],
    }));
    const upstream = new ReplayingUpstream({ ...emptyCassette, entries }, 'old.cassette.json');
    const row = { v: 'x y+z', q: 'its (50%) ü~' };
    const { outputs } = await runRows(nodesOf(own), { pool: testPool(), rows: [row], upstream });
    expect(outputs).toMatchObject([{ got: { body: 'page&page=2' } }]);
  });

  it.each([
    ['an object', '{ a: "=row.n", b: [1] }', '{"a":5,"b":[1]}', 'application/json'],
    ['a number', '=row.n', '5', 'application/json'],
    ['null', 'null', 'null', 'application/json'],
    ['text', '"n={{ row.n }}"', 'n=5', 'text/plain; charset=utf-8'],
  ])('sends %s as its body with the content type that it has', async (_, body, text, type) => {
    const { requests } = await callsOf(`request: { method: POST, url: "https://x.example", body: ${body} }`, {
      n: 5,
    });
    expect(requests).toMatchObject([{ method: 'POST', body: text, headers: [['content-type', type]] }]);
  });

  it('keeps the content type that the author gives', async () => {
    const own =
      'request: { method: PUT, url: "https://x.example", body: "<a/>", headers: { Content-Type: text/xml } }';
    expect((await callsOf(own)).requests).toMatchObject([{ headers: [['content-type', 'text/xml']] }]);
  });

  it.each([
    ['url: "=row.url"', { url: 5 }, 'the url is a number, not text'],
    ['url: "=row.url"', {}, 'the url is missing, not text'],
    ['url: "=row.url"', { url: 'no address?token=hush' }, '"no address" is not a URL'],
    [
      'url: "=row.url"',
      { url: 'file:///etc/passwd' },
      'the url begins with file:, not with http:// or https://',
    ],
    [
      'url: "=row.url"',
      { url: 'https://me:word@x.example' },
      'a url holds no user name or password: use "auth"',
    ],
    ['url: "https://x.example", query: { q: "=row.q" }', { q: {} }, '"q" in "query" is an object, not text'],
    [
      'url: "https://x.example", query: { q: "=row.q" }',
      { q: '\ud800' },
      '"q" in "query" is not well-formed text: half of a character is missing',
    ],
    [
      'url: "https://x.example", headers: { x-a: "=row.q" }',
      { q: [] },
      'the header "x-a" is a list, not text',
    ],
    [
      'url: "https://x.example", headers: { x-a: "=row.q" }',
      { q: 'a\r\nhost: evil' },
      'the header "x-a" has a character that no header can carry',
    ],
  ])('is refused before any call where %s and the row is %j', async (request, row, message) => {
    const { outcome, requests } = await callsOf(`request: { ${request} }`, row);
    expect(outcome).toEqual({ kind: 'failed', error: `Node "call" failed on row 1: ${message}` });
    expect(requests).toEqual([]);
  });
});

describe('the value of an http node', () => {
  it('has status, headers and the body parsed', async () => {
    const answer = jsonAnswer({ a: [1] }, { status: 201, headers: [['x-id', '9']] });
    expect(await gotOf(answer)).toEqual({
      status: 201,
      headers: { 'content-type': 'application/json', 'x-id': '9' },
      body: { a: [1] },
    });
  });

  it.each([
    ['application/problem+json; charset=utf-8', '{"a":1}', { a: 1 }],
    ['text/html', '<p>{"a":1}</p>', '<p>{"a":1}</p>'],
    ['application/json', '', ''],
    ['text/plain', '\u001b[31m![](https://evil?d=1)', '\u001b[31m![](https://evil?d=1)'],
  ])('reads a body of type %s', async (type, body, value) => {
    expect(await gotOf(answered(type, body))).toMatchObject({ body: value });
  });

  it('cannot be changed, nor change what objects are', async () => {
    const body = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    const upstream = scriptedUpstream(() =>
      answered('application/json', body, { headers: [['__proto__', 'x']] }),
    );
    const nodes = nodesOf(toUrl, "=[Object.keys(nodes.call.body), ({}).polluted ?? 'clean']");
    const done = await runRows(nodes, { pool: testPool(), rows: [{}], upstream });
    expect(done.outputs).toEqual([{ got: [['__proto__', 'constructor'], 'clean'] }]);
    const changing = await runRows(nodesOf(toUrl, '=Object.assign(nodes.call.body, { x: 1 })'), {
      pool: testPool(),
      rows: [{}],
      upstream,
    });
    expect(changing.outcome).toMatchObject({ error: expect.stringContaining('cannot be changed') as string });
  });
});

describe('an answer that is no answer', () => {
  const of = 'Node "call" failed on row 1: GET https://api.example.com/a answered with';

  it.each([
    ['invalid JSON', answered('application/json', '{"a":'), 'invalid JSON'],
    [
      'whole JSON that is nested a million levels',
      answered('application/json', '['.repeat(1e6) + ']'.repeat(1e6)),
      'JSON that is nested deeper than 100 levels',
    ],
    ['1e400', answered('application/json', '{"a":[1e400]}'), 'a number that is too large'],
    [
      'JSON that is not UTF-8',
      answered('application/json', Buffer.from([0x22, 0xff, 0x22])),
      'text that is not UTF-8: for binary data, add answerAs: base64',
    ],
    [
      'text that is not UTF-8',
      answered('image/png', Buffer.from([0x89, 0x50])),
      'text that is not UTF-8: for binary data, add answerAs: base64',
    ],
  ])('fails the row: %s', async (_, answer, message) => {
    expect(await gotOf(answer)).toBe(`${of} ${message}`);
  });

  it('says of a status what the other side says of it, without the query', async () => {
    const of500 = 'Node "call" failed on row 1: HTTP 500 from GET https://api.example.com/a';
    expect(await gotOf(answered('text/html', '<h1>no</h1>', { status: 500 }))).toBe(of500);
    expect(await gotOf(jsonAnswer({ error: { message: 'out of\n\u001b[31mluck' } }, { status: 500 }))).toBe(
      `${of500}: out of [31mluck`,
    );
    expect(await gotOf(answered('text/plain', 'x'.repeat(5000), { status: 500 }))).toBe(
      `${of500}: ${'x'.repeat(199)}…`,
    );
    expect(await gotOf(answered('application/json', '{"message":', { status: 500 }))).toBe(of500);
  });

  it('is one where the node expects the status', async () => {
    const answer = jsonAnswer({ gone: true }, { status: 404 });
    expect(await gotOf(answer)).toBe(
      'Node "call" failed on row 1: HTTP 404 from GET https://api.example.com/a',
    );
    expect(await gotOf(answer, `${toUrl}, expect: [404, 410]`)).toMatchObject({
      status: 404,
      body: { gone: true },
    });
  });

  it('reads as the upstream puts it when there was none', async () => {
    expect(await gotOf({ kind: 'failed', message: 'no answer from api.example.com' })).toBe(
      'Node "call" failed on row 1: no answer from api.example.com',
    );
  });
});

describe('around an http node', () => {
  it('retry waits as long as the answer asks, with the same key for each attempt', async () => {
    const upstream = scriptedUpstream((_, nth) =>
      nth < 3 ? jsonAnswer({}, { status: 503, retryAfterMs: 45_000 }) : jsonAnswer('there'),
    );
    const clock = new VirtualClock(0);
    const nodes = nodesOf(`${toUrl}, retry: { attempts: 3, delay: 1s }`, '=nodes.call.body');
    const done = await runRows(nodes, { pool: testPool(), rows: [{}], upstream, clock });
    expect(done.outputs).toEqual([{ got: 'there' }]);
    expect(clock.monotonic()).toBe(90_000);
    expect(new Set(upstream.keys).size).toBe(1);
  });

  it('onError, when and each work as for any node', async () => {
    const upstream = scriptedUpstream(({ url }) =>
      url.endsWith('2') ? jsonAnswer({}, { status: 500 }) : jsonAnswer(url.at(-1)),
    );
    const own = `when: row.list, each: row.list, request: { url: "https://x.example/{{ item }}" }, onError: { value: none }`;
    const rows = [{}, { list: [] }, { list: [1, 3] }, { list: [1, 2] }];
    const nodes = nodesOf(own, '=nodes.call?.map((one) => one.body ?? one)');
    const done = await runRows(nodes, { pool: testPool(), rows, upstream });
    expect(done.outputs).toEqual([{ got: null }, { got: [] }, { got: ['1', '3'] }, { got: ['1', 'none'] }]);
    const sites = upstream.keys.map((key) => key.split('/').slice(-2).join('/'));
    expect(sites.sort()).toEqual(['call/0', 'call/0', 'call/1', 'call/1']);
  });

  it('a mock answers instead, and the plan then reaches nothing', async () => {
    const nodes = nodesOf(`${toUrl}, mock: { found: { status: 200, body: { a: 1 } } }`);
    expect(planOf(nodes)).toMatchObject({ reachesOut: true, mayWait: true });
    expect(planOf(nodes, { call: 'found' })).toMatchObject({ reachesOut: false, mayWait: false });
  });
});
