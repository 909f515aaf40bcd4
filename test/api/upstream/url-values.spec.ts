// Values of rows in the URL of a call, against a service that notes the request target as it arrives: a value stays in its
// part of the URL, or the call is not made.
import { describe, expect, it } from 'vitest';
import { parseWorkflow } from '../../../src-main/domain/workflow/parse-workflow.ts';
import { runRows, testPool } from '../../builders/execution-rig.ts';
import { testBroker } from '../../builders/test-broker.ts';
import { json, startUpstream } from '../../builders/upstream-server.ts';

const dots = (text: string) => `makes "${text}" a segment of the path`;
const control = (code: string) => `has the control character ${code}`;
const empty = 'is empty';
const long = 'x'.repeat(5000);

/** A value, and how it arrives or why it does not. */
const table: readonly (readonly [value: unknown, arrives: string | { readonly refused: string }])[] = [
  ['7', '7'],
  [7, '7'],
  [true, 'true'],
  ['../admin/delete-all?x=', '..%2Fadmin%2Fdelete-all%3Fx%3D'],
  ['..', { refused: dots('..') }],
  ['.', { refused: dots('.') }],
  ['...', '...'],
  ['%2e%2e', '%252e%252e'],
  ['%2E%2e/..', '%252E%252e%2F..'],
  ['a/b', 'a%2Fb'],
  ['a?b=c', 'a%3Fb%3Dc'],
  ['a#b', 'a%23b'],
  ['a&b=c', 'a%26b%3Dc'],
  ['a b+c', 'a%20b%2Bc'],
  ['@evil.example', '%40evil.example'],
  ['\\..\\', '%5C..%5C'],
  ['\r\nX: y', { refused: control('U+000D') }],
  ['.\t.', { refused: control('U+0009') }],
  ['.\n.', { refused: control('U+000A') }],
  ['a\u0000b', { refused: control('U+0000') }],
  ['a\u0085b', { refused: control('U+0085') }],
  ['é', '%C3%A9'],
  ['👍', '%F0%9F%91%8D'],
  ['\u2025', '%E2%80%A5'],
  ['\ud800', { refused: 'half of a character is missing' }],
  ['', { refused: empty }],
  [null, { refused: empty }],
  [undefined, { refused: empty }],
  [['a', 1], '%5B%22a%22%2C1%5D'],
  [{ a: '..' }, '%7B%22a%22%3A%22..%22%7D'],
  [long, long],
  ['x'.repeat(1_000_001), { refused: 'has more than a million characters' }],
];

type Kind = { readonly node: (origin: string) => string; readonly target: (arrived: string) => string };

const http = (url: (origin: string) => string, more = ''): Kind => ({
  node: (origin) => `type: http, request: { url: ${JSON.stringify(url(origin))} }${more}`,
  target: (arrived) => `/customers/${arrived}/orders?all=1`,
});

const kinds: Readonly<Record<string, Kind>> = {
  'a template': http((origin) => `${origin}/customers/{{ row.id }}/orders?all=1`),
  'a template that begins with a constant': http(
    (origin) => `{{ '${origin}/' + 'customers' }}/{{ row.id }}/orders?all=1`,
  ),
  'a template of a node with "each"': http(
    (origin) => `${origin}/customers/{{ item }}/orders?all=1`,
    ', each: "=[row.id]"',
  ),
  'a url`…` expression': http((origin) => `=url\`${origin}/customers/\${row.id}/orders?all=1\``),
  'a url`…` in one branch': http(
    (origin) => `=row ? url\`\${'${origin}'}/customers/\${row.id}/orders?all=1\` : ''`,
  ),
  'the base URL of a model': {
    node: (origin) =>
      `type: llm, baseUrl: "${origin}/customers/{{ row.id }}/", model: m, messages: [{ role: user, content: hi }]`,
    target: (arrived) => `/customers/${arrived}/chat/completions`,
  },
  'the base URL of a model as url`…`': {
    node: (origin) =>
      `type: llm, baseUrl: ${JSON.stringify(`=url\`${origin}/customers/\${row.id}\``)}, model: m, messages: [{ role: user, content: hi }]`,
    target: (arrived) => `/customers/${arrived}/chat/completions`,
  },
};

/** The targets of each row's calls, or the reason of its failure. */
async function call(node: (origin: string) => string, values: readonly unknown[]) {
  const upstream = await startUpstream();
  const workflow = `rowbench: 1
id: calls
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: service, ${node(upstream.url(''))} }
  - { id: result, type: output, fields: { n: "=nodes.service" } }
`;
  const { issues } = parseWorkflow(workflow);
  const { failures } = await runRows(workflow, {
    pool: testPool(),
    rows: values.map((id) => ({ id })),
    upstream: testBroker().broker.upstream({ workflowId: 'calls', classes: ['loopback'] }),
  });
  const seen = values.map((_, index) => {
    const own = upstream.calls.filter(({ key }) => Number(/_(\d+)\/service/.exec(key)?.[1]) === index + 1);
    const failure = failures.find(({ row }) => row === index + 1);
    return own.length === 0 ? { failed: failure?.message } : own.map(({ url }) => url).join(' ');
  });
  return { seen, issues };
}

const failing = (words: string) => ({ failed: expect.stringContaining(words) as string });

describe('a value in the path of', () => {
  it.each(Object.entries(kinds))('%s stays in its segment, or is refused', async (_, { node, target }) => {
    const { seen, issues } = await call(
      node,
      table.map(([value]) => value),
    );
    expect(issues).toEqual([]);
    expect(seen).toEqual(
      table.map(([, arrives]) => (typeof arrives === 'string' ? target(arrives) : failing(arrives.refused))),
    );
  });
});

describe('a value in a URL', () => {
  it('behind encodeURIComponent is encoded once, and judged as one that is not', async () => {
    const { seen } = await call(
      (origin) => `type: http, request: { url: "${origin}/a/{{ encodeURIComponent(row.id) }}" }`,
      ['a/b c', '%2e', '..', 'a\nb', '\ud800', '', undefined],
    );
    expect(seen).toEqual([
      '/a/a%2Fb%20c',
      '/a/%252e',
      failing(dots('..')),
      failing(control('U+000A')),
      failing('half of a character is missing'),
      failing(empty),
      failing(empty),
    ]);
  });

  it('keeps to one parameter of a query, where dots and nothing are values like others', async () => {
    const { seen } = await call(
      (origin) => `type: http, request: { url: "${origin}/a?q={{ row.id }}&b=1#{{ row.id }}" }`,
      ['x&b=2', 'a#b', '..', '../c', '', '\u00a0', 'a\r\nb'],
    );
    expect(seen).toEqual([
      '/a?q=x%26b%3D2&b=1',
      '/a?q=a%23b&b=1',
      '/a?q=..&b=1',
      '/a?q=..%2Fc&b=1',
      '/a?q=&b=1',
      '/a?q=%C2%A0&b=1',
      failing(control('U+000D')),
    ]);
  });

  it('makes no dots together with its neighbours', async () => {
    const { seen } = await call(
      (origin) => `type: http, request: { url: "${origin}/a/.{{ row.id }}/{{ row.id }}{{ row.id }}/b" }`,
      ['.', '', 'x'],
    );
    expect(seen).toEqual([failing(dots('..')), failing(dots('.')), '/a/.x/xx/b']);
  });

  it('may be missing beside other text of its segment', async () => {
    const { seen } = await call(
      (origin) => `type: http, request: { url: "${origin}/v1/file{{ row.id }}" }`,
      ['', null, '..'],
    );
    expect(seen).toEqual(['/v1/file', '/v1/file', '/v1/file..']);
  });

  it.each([
    ['a template', (origin: string) => `${origin}/files/{{ rawPath(row.id) }}?v=1`],
    ['url`…`', (origin: string) => `=url\`${origin}/files/\${rawPath(row.id)}?v=1\``],
  ])('marked as a raw path keeps its slashes in %s, and nothing else', async (_, url) => {
    const { seen } = await call(
      (origin) => `type: http, request: { url: ${JSON.stringify(url(origin))} }`,
      [
        'a/b%20c/d',
        'a/',
        'é',
        '..',
        'a/../b',
        'a/%2E%2e',
        'a?b',
        'a#b',
        'a\\..\\b',
        'a\tb',
        '',
        '/etc',
        '\udc00',
      ],
    );
    expect(seen).toEqual([
      '/files/a/b%20c/d?v=1',
      '/files/a/?v=1',
      '/files/%C3%A9?v=1',
      failing(dots('..')),
      failing(dots('..')),
      failing(dots('%2E%2e')),
      failing('has "?"'),
      failing('has "#"'),
      failing('has "\\"'),
      failing(control('U+0009')),
      failing(empty),
      failing(empty),
      failing('half of a character is missing'),
    ]);
  });

  it('marked as a raw path stands in the path alone, and is text like any elsewhere', async () => {
    const { seen } = await call(
      (origin) => `type: http, request: { url: "${origin}/a?q={{ rawPath(row.id) }}" }`,
      ['a&b=c'],
    );
    expect(seen).toEqual([failing('stands behind the path')]);
    const row = { rawPath: '../b' };
    expect(
      (await call((origin) => `type: http, request: { url: "${origin}/{{ row.id }}" }`, [row])).seen,
    ).toEqual(['/%7B%22rawPath%22%3A%22..%2Fb%22%7D']);
  });

  it('is judged in an expression that puts a URL together itself', async () => {
    const { seen, issues } = await call(
      (origin) => `type: http, request: { url: "='${origin}/a/' + row.id" }`,
      ['b', 'b?c', '../d', '%2e%2E/d', '..\\d', 'a\tb', '\n', 'c?../..\\'],
    );
    expect(issues).toMatchObject([
      { severity: 'warning', message: expect.stringContaining('Write url`https') as string },
    ]);
    expect(seen).toEqual([
      '/a/b',
      '/a/b?c',
      failing('".." is a segment of its path'),
      failing('"%2e%2E" is a segment of its path'),
      failing('a backslash'),
      failing(control('U+0009')),
      failing(control('U+000A')),
      '/a/c?../..\\',
    ]);
  });

  it('never chooses the host, in text from a template or from code', async () => {
    const evil = await startUpstream({ '/x': json({}) });
    const at = `127.0.0.1:${evil.port}`;
    for (const url of [
      '=url`http://${row.id}/x`',
      "=url`${'http://'}${row.id}/x`",
      "=url(['http://', '/x'], row.id)",
      "=url(['', '', ''], 'http:/', '/' + row.id)",
      '=url`http://u${row.id}/x`',
    ]) {
      const plan = `nodes:
  - { id: input, type: input }
  - { id: target, type: set, values: { url: ${JSON.stringify(url)} } }
  - { id: service, type: http, request: { url: "=nodes.target.url" } }
  - { id: result, type: output, fields: { n: "=nodes.service" } }
`;
      const upstream = testBroker().broker.upstream({ workflowId: 'calls', classes: ['loopback'] });
      const { failures } = await runRows(`onRowError: skip\n${plan}`, {
        pool: testPool(),
        rows: [{ id: at }, { id: `@${at}` }, { id: `/${at}` }],
        upstream,
      });
      expect(failures.map(({ message }) => message)).toEqual(
        Array(3).fill(expect.stringContaining('URIError: it must begin with http:// or https://')),
      );
    }
    expect(evil.calls).toEqual([]);
  });
});
