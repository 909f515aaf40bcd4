import { describe, expect, it } from 'vitest';
import { parseWorkflow } from '../../../../src-main/domain/workflow/parse-workflow.ts';
import { workflowText } from '../../../builders/workflow-text.ts';

function parsed(own: string) {
  const text = workflowText(`  - { id: call, type: http, ${own} }`);
  const { workflow, issues } = parseWorkflow(text);
  return {
    config: workflow?.nodes[1]?.config,
    issues: issues.map(({ severity, message }) => `${severity}: ${message}`),
  };
}

describe('an http node in a file', () => {
  it('is a GET without anything else', () => {
    expect(parsed('request: { url: "https://x.example" }')).toEqual({
      config: { request: { method: 'GET', url: { kind: 'literal', value: 'https://x.example' } } },
      issues: [],
    });
  });

  it('has header names in lower case, and a bearer token where auth names no header', () => {
    const own =
      'request: { url: "https://x.example", headers: { X-Trace: a } }, auth: { secret: A_1 }, expect: [404]';
    expect(parsed(own)).toMatchObject({
      config: {
        request: { headers: { entries: [['x-trace', { kind: 'literal', value: 'a' }]] } },
        auth: { secret: 'A_1' },
        expect: [404],
      },
      issues: [],
    });
  });

  it.each([
    ['query: api_key', { secret: 'A', query: 'api_key' }],
    ['body: key', { secret: 'A', body: 'key' }],
    ['header: X-Key', { secret: 'A', header: 'x-key' }],
    ['scheme: Token', { secret: 'A', scheme: 'Token' }],
  ])('sends its secret where "%s" says', (where, auth) => {
    const own = `request: { method: POST, url: "https://x.example", body: {} }, auth: { secret: A, ${where} }`;
    expect(parsed(own)).toMatchObject({ config: { auth }, issues: [] });
  });

  it.each([
    ['', []],
    ['each: "=row.list"', ['warning: All items have the same']],
    ['repeat: { while: "false" }', ['warning: All calls of "repeat" have the same']],
    ['repeat: { while: "false", next: { headers: { Idempotency-Key: "=round" } } }', []],
  ])('warns of an idempotency key that several calls would have: %s', (more, issues) => {
    const own = `request: { url: "https://x.example", headers: { Idempotency-Key: "order-{{ row.id }}" } }`;
    expect(parsed(more === '' ? own : `${own}, ${more}`).issues).toEqual(
      issues.map((start) => expect.stringContaining(start) as string),
    );
  });

  it('has a note where its header was a bearer token in earlier versions', () => {
    const auth = (text: string): string => `request: { url: "https://x.example" }, auth: { ${text} }`;
    const issues = [
      'note: The header authorization carries the secret as it is, such as "Basic …". For a bearer token leave "header" out',
    ];
    expect(parsed(auth('secret: A, header: Authorization'))).toMatchObject({
      config: { auth: { secret: 'A', header: 'authorization' } },
      issues,
    });
    expect(parsed(auth('hmac: { secret: A, over: [body], header: authorization }')).issues).toEqual([]);
  });

  it.each([
    ['request: {}', 'Missing key "url"'],
    ['request: { url: 5 }', 'Expected text'],
    [
      'request: { url: "https://x.example", method: get }',
      'Expected one of GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS, or an =expression',
    ],
    ['request: { url: "https://x.example", body: a }', 'A GET request has no body'],
    ['request: { url: "https://x.example", headers: { "a b": c } }', '"a b" cannot be the name of a header'],
    [
      'request: { url: "https://x.example", headers: { "X-Empty ": c } }',
      'The header "x-empty " has a blank behind its name: remove it',
    ],
    ['request: { url: "https://x.example", headers: { A: b, a: b } }', 'The header "a" is there twice'],
    ['request: { url: "https://x.example", headers: { Host: b } }', 'Rowbench itself sets the header "host"'],
    [
      'request: { url: "https://x.example" }, auth: { secret: token }',
      'A secret is named by capital letters, digits and "_", 64 in all at most',
    ],
    ['request: { url: "https://x.example" }, auth: { secret: A, token: b }', 'Unknown key "token"'],
    [
      'request: { url: "https://x.example" }, auth: { secret: A, header: a, query: b }',
      'A secret goes into one of these: a header, the query or the body',
    ],
    [
      'request: { url: "https://x.example" }, auth: { secret: A, body: key }',
      'The secret goes into a field of the body, and the request has no body',
    ],
    [
      'request: { url: "https://x.example" }, auth: { secret: A, header: a, scheme: b }',
      '"scheme" is for the header authorization, which is the place without "header", "query" or "body": leave these out',
    ],
    [
      'request: { url: "https://x.example" }, auth: { secret: A, scheme: "a b" }',
      'Expected the name of a scheme, such as Token',
    ],
    [
      'request: { url: "https://x.example" }, auth: { basic: { user: "a:b", secret: A } }',
      'Expected a user name of at most 200 characters, without ":"',
    ],
    ['request: { url: "https://x.example" }, auth: {}', 'Missing key "secret"'],
    [
      'request: { url: "https://x.example" }, auth: A',
      'Expected { secret: NAME }, { basic: { … } }, { oauth2: { … } } or { hmac: { … } }',
    ],
    [
      'request: { url: "https://x.example" }, auth: { oauth2: { clientId: us, secret: A } }',
      'Missing key "tokenUrl"',
    ],
    [
      'request: { url: "https://x.example" }, auth: { oauth2: { tokenUrl: "https://x.example/{{ row.a }}", clientId: us, secret: A } }',
      'Expected text that is the same for every row: variables such as {{ vars.host }} that hold text, and no other expression',
    ],
    [
      'request: { url: "https://x.example" }, auth: { oauth2: { tokenUrl: x.example, clientId: us, secret: A } }',
      'Expected a URL that begins with http:// or https://',
    ],
    [
      'request: { url: "https://x.example" }, auth: { oauth2: { tokenUrl: "https://x.example", clientId: us, secret: A, scopes: a } }',
      'Unknown key "scopes"',
    ],
    [
      'request: { url: "https://x.example" }, auth: { hmac: { secret: A, header: x-sign, over: [timestamp, body] } }',
      'The service needs the time that is signed: name a "timestampHeader"',
    ],
    [
      'request: { url: "https://x.example" }, auth: { hmac: { secret: A, header: x-sign, timestampHeader: x-time, over: [body] } }',
      'The time is sent but not signed: add timestamp to "over"',
    ],
    [
      'request: { url: "https://x.example" }, auth: { hmac: { secret: A, header: x-sign, over: [url] } }',
      'Expected one of method, host, path, query, target, timestamp, body, bodyHash',
    ],
    ['request: { url: "https://x.example" }, limit: 5', 'Expected text'],
    ['request: { url: "https://x.example" }, limit: 0/s', 'Expected a rate such as 5/s, 100/m or 1000/h'],
    ['request: { url: "https://x.example" }, limit: 5/day', 'Expected a rate such as 5/s, 100/m or 1000/h'],
    ['request: { url: "https://x.example" }, expect: [42]', 'Expected at least 100'],
    ['request: { url: "https://x.example/{{ nodes.gone }}" }', 'There is no node "gone"'],
    ['request: { url: "{{ row.base }}/x" }', 'A URL cannot begin with a value of a row or a node'],
    ['request: { url: "{{ nodes.input.base }}" }', 'A URL cannot begin with a value of a row or a node'],
    ['each: "=[1]", request: { url: "{{ item }}/x" }', 'A URL cannot begin with a value of a row or a node'],
    ['request: { url: "{{ [1].map(() => row.base)[0] }}/x" }', 'A URL cannot begin with a value of a row'],
    ['request: { url: "=url`${row.base}/x`" }', 'A URL cannot begin with a value of a row or a node'],
    ['request: { url: "=row.a ? url`${row.base}/x` : 1" }', 'A URL cannot begin with a value of a row'],
    ...[
      'https://{{ row.host }}/x',
      'https://{{ row.host }}.example.com/x',
      'https://x.example{{ row.rest }}',
      'https://x.example:{{ row.port }}/',
      'https://{{ row.user }}@x.example/',
      'https:{{ row.rest }}',
      ' https://{{ row.host }}/',
      'https:\\\\{{ row.host }}/',
      'https://x.example\\{{ row.id }}',
      "{{ 'https://x.example' }}{{ row.rest }}",
      "{{ 'https://x.example' }}.{{ row.rest }}/",
      '=url`https://${row.host}/x`',
      "=url`${'https://x.example'}${row.rest}`",
    ].map((url) => [
      `request: { url: ${JSON.stringify(url)} }`,
      'A value may not be part of the host of a URL',
    ]),
  ])('is refused: %s', (own, message) => {
    expect(parsed(own).issues).toEqual([expect.stringContaining(`error: ${message}`)]);
  });

  it.each([
    ['bodyAs: form', '"bodyAs" says how "body" is sent: there is none'],
    ['bodyAs: xml, body: a', 'Expected one of json, form, multipart, text, base64'],
    ['bodyAs: form, body: [1]', 'A form body is names with values'],
    ['bodyAs: multipart, body: "{{ row.a }}"', 'A multipart body is names with values'],
    ['bodyAs: text, body: { a: 1 }', 'A text body is text'],
    ['bodyAs: base64, body: 7', 'A base64 body is text'],
    ['bodyAs: base64, body: "no base64"', 'This text is not Base64'],
    [
      'bodyAs: form, body: { a: 1 }, headers: { Content-Type: application/json }',
      'A form body has the content-type application/x-www-form-urlencoded, not application/json',
    ],
    [
      'bodyAs: multipart, body: =row, headers: { content-type: multipart/form-data }',
      'Rowbench itself sets the content-type of a multipart body',
    ],
    [
      'body: { a: 1 }, headers: { content-type: application/x-www-form-urlencoded }',
      'The body would be sent as JSON, not as application/x-www-form-urlencoded: add bodyAs: form',
    ],
    [
      'body: { a: =row.a }, headers: { content-type: "multipart/form-data; boundary=x" }',
      'The body would be sent as JSON, not as multipart/form-data: add bodyAs: multipart',
    ],
  ])('is refused for a body that cannot be sent so: %s', (own, message) => {
    const request = `request: { method: POST, url: "https://x.example", ${own} }`;
    expect(parsed(request).issues).toEqual([expect.stringContaining(`error: ${message}`)]);
  });

  it.each([
    ['repeat: {}', 'Expected an expression'],
    ['repeat: { while: previous.next, max: 0 }', 'Expected at least 1'],
    ['repeat: { while: true, max: 1001 }', 'Expected at most 1000'],
    ['repeat: { while: true, atMax: go }', 'Expected one of fail, stop'],
    ['repeat: { while: true, wait: soon }', 'Expected a duration such as'],
    ['repeat: { while: true, next: { method: POST } }', 'Unknown key "method"'],
    ['repeat: { while: true, next: { headers: { Host: b } } }', 'Rowbench itself sets the header "host"'],
    [
      'repeat: { while: true, next: { url: "https://{{ previous.host }}/" } }',
      'A value may not be part of the host',
    ],
    ['repeat: { while: item.next }', '"item" exists only in a node with "each"'],
    ['when: previous.next', '"previous" exists only in "repeat"'],
    ['onError: { value: =round }', '"round" exists only in "repeat"'],
  ])('is refused for calls that cannot be repeated so: %s', (own, message) => {
    const { issues } = parsed(`request: { url: "https://x.example" }, ${own}`);
    expect(issues).toEqual([expect.stringContaining(`error: ${message}`)]);
  });

  it('repeats its call up to 100 times unless it says otherwise', () => {
    const own =
      'each: row.list, request: { url: "https://x.example" }, repeat: { while: previous.body.next && item }';
    expect(parsed(own)).toMatchObject({ config: { repeat: { max: 100, atMax: 'fail' } }, issues: [] });
  });

  it('names the line where a header and the form of the body contradict each other', () => {
    const text = workflowText(`  - id: call
    type: http
    request:
      url: https://x.example
      method: POST
      headers: { Content-Type: text/xml }
      body: { a: 1 }
      bodyAs: form`);
    expect(parseWorkflow(text).issues).toMatchObject([{ line: 13, severity: 'error' }]);
  });

  it.each([
    'bodyAs: form, body: =row, headers: { content-type: "application/x-www-form-urlencoded; charset=utf-8" }',
    'bodyAs: text, body: "<a/>", headers: { content-type: text/xml }',
    'bodyAs: base64, body: "AQI=", headers: { content-type: image/png }',
    'body: "a=1", headers: { content-type: application/x-www-form-urlencoded }',
    'body: { a: 1 }, headers: { content-type: application/problem+json }',
    'bodyAs: form, body: { a: 1 }, headers: { content-type: =row.type }',
  ])('may send its body so: %s', (own) => {
    expect(parsed(`request: { method: POST, url: "https://x.example", ${own} }`).issues).toEqual([]);
  });

  it.each([
    ['request: { url: "x.example/{{ row.id }}" }', 'Expected a URL that begins with http:// or https://'],
    [
      'request: { url: "https://x.example", headers: { Authorization: Bearer abc } }',
      'A secret does not belong in a file: use "auth"',
    ],
  ])('is doubted: %s', (own, message) => {
    expect(parsed(own).issues).toEqual([`warning: ${message}`]);
  });

  it.each([
    '=`https://x.example/${row.id}`',
    "='https://x.example/' + row.id",
    "=['https://x.example', row.id].join('/')",
    "='https://x.example/ID'.replace('ID', row.id)",
    '=row.a ? `https://x.example/${nodes.input.id}` : null',
    '=`https://x.example/${encodeURIComponent(row.a)}/${row.b}`',
  ])('is doubted where it takes values of the row as they are: %s', (url) => {
    const issues = parsed(`request: { url: ${JSON.stringify(url)} }`).issues;
    expect(issues).toEqual([
      expect.stringContaining('warning: This URL takes values of the row as they are'),
    ]);
  });

  it('is doubted where a value is encoded twice', () => {
    const own = 'request: { url: "=url`https://x.example/${encodeURIComponent(row.id)}`" }';
    expect(parsed(own).issues).toEqual([expect.stringContaining('warning: url`…` encodes each value')]);
  });

  it.each([
    '=row.url',
    '=nodes.input.links.find((link) => link.rel === "next").href',
    '=url`https://x.example/${row.id}?q=${row.q}`',
    '=`https://x.example/${encodeURIComponent(row.id)}`',
    "=`https://${row.eu ? 'eu' : 'us'}.x.example/`",
    "=row.a + row.b === 'eu' ? 'https://eu.example' : 'https://us.example'",
    "=({ eu: 'https://eu.example', us: 'https://us.example' })[row.region] + '/list'",
    "{{ 'https://x.example' + '/v1' }}/{{ row.id }}",
    '{{ "https://x.example" }}',
    'https://x.example?q={{ row.q }}',
    'HTTPS://x.example:8443/{{ row.a }}{{ row.b }}',
  ])('is not doubted: %s', (url) => {
    expect(parsed(`request: { url: ${JSON.stringify(url)} }`).issues).toEqual([]);
  });

  it('may take a header from the row', () => {
    const own = 'request: { url: "https://x.example", headers: { authorization: "=row.token" } }';
    expect(parsed(own).issues).toEqual([]);
  });

  it.each([
    ['request: { url: "https://x.example", headers: { Cookie: a=1 } }'],
    ['request: { url: "https://x.example" }, repeat: { while: false, next: { headers: { cookie: a=1 } } }'],
    ['request: { url: "https://x.example" }, auth: { secret: A, header: Cookie }'],
  ])('has no header cookie beside a session: %s', (own) => {
    expect(parsed(`${own}, session: crm`).issues).toEqual([
      'error: The session sends the header cookie: leave that header or "session" out',
    ]);
    expect(parsed(own).issues).toEqual([]);
  });

  it('has a session with a fixed name', () => {
    const own = (session: string) => `request: { url: "https://x.example" }, session: ${session}`;
    expect(parsed(own('crm-2')).config).toMatchObject({ session: 'crm-2' });
    expect(parsed(own('"{{ row.a }}"')).issues).toEqual([
      'error: The name of a session is a letter, then letters, digits, "_" and "-", 64 in all at most',
    ]);
  });
});
