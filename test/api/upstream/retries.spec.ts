// Which failed calls a node with "retry" makes again, counted at the service. Pauses are on a virtual clock.
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src-main/base/virtual-clock.ts';
import type { Secret } from '../../../src-main/domain/secrets/secret.ts';
import type { AddressClass } from '../../../src-main/domain/upstream/address-class.ts';
import { runRows, testPool } from '../../builders/execution-rig.ts';
import { testBroker } from '../../builders/test-broker.ts';
import {
  bytes,
  hang,
  inSequence,
  json,
  redirectTo,
  reset,
  startUpstream,
  type UpstreamAnswerer,
} from '../../builders/upstream-server.ts';

const hour = 3_600_000;

type Options = {
  readonly classes?: readonly AddressClass[];
  readonly secrets?: readonly Secret[];
  readonly ownPorts?: () => Iterable<number>;
  readonly more?: string;
  readonly row?: object;
};

/** Runs one row whose node may try three times, an hour apart. */
async function tried(node: string, { classes = ['loopback'], more = '', row = {}, ...broker }: Options = {}) {
  const clock = new VirtualClock(0);
  const workflow = `nodes:
  - { id: input, type: input }
  - { id: call, ${node}, retry: { attempts: 3, delay: 1h } ${more} }
  - { id: out, type: output, fields: { got: "=nodes.call" } }
`;
  const { failures, outputs, traces } = await runRows(workflow, {
    pool: testPool(),
    rows: [row],
    clock,
    upstream: testBroker(broker).broker.upstream({ workflowId: 'calls', classes }),
  });
  const [failure] = failures;
  return { failure, outputs, attempts: traces[0]?.nodes[1]?.attempts, waitedMs: clock.monotonic() };
}

const calling = (url: string, more = ''): string => `type: http, request: { url: "${url}" ${more} }`;

describe('a node with "retry"', () => {
  it.each([400, 401, 404, 409, 422, 451])('makes a call that is answered with %d once', async (status) => {
    const upstream = await startUpstream({ '/': json({ message: 'no' }, status, { 'retry-after': '9' }) });
    const { failure, attempts, waitedMs } = await tried(calling(upstream.url('/')));
    expect(failure).toEqual({
      row: 1,
      nodeId: 'call',
      message: `HTTP ${status} from GET ${upstream.url('/')}: no (not retried)`,
      attempts: 1,
    });
    expect({ calls: upstream.count('/'), attempts, waitedMs }).toEqual({
      calls: 1,
      attempts: 1,
      waitedMs: 0,
    });
  });

  const passing: readonly (readonly [string, UpstreamAnswerer])[] = [
    ...[408, 429, 500, 503, 599].map((status) => [String(status), json({}, status)] as const),
    ['a connection that breaks', reset],
    ['nothing in time', hang],
  ];
  it.each(passing)('makes a call that is answered with %s as often as it may', async (_, answer) => {
    const upstream = await startUpstream({ '/': answer });
    const { failure, attempts, waitedMs } = await tried(calling(upstream.url('/')), {
      more: ', timeout: 300ms',
    });
    expect(failure?.message).not.toContain('not retried');
    expect({ calls: upstream.count('/'), attempts }).toEqual({ calls: 3, attempts: 3 });
    expect(waitedMs).toBeGreaterThanOrEqual(2 * hour);
  });

  const unreadable: readonly (readonly [string, UpstreamAnswerer])[] = [
    ['in an encoding that was not asked for', bytes('x', { 'content-encoding': 'br' }, 403)],
    ['that is not what its header says', bytes('no gzip', { 'content-encoding': 'gzip' }, 403)],
    ['that is too large', bytes(Buffer.alloc(10_000_001, 'x'), {}, 403)],
    [
      'that breaks off',
      (_call, response) => void response.writeHead(403).write('x', () => response.destroy()),
    ],
    ['that does not end in time', (_call, response) => void response.writeHead(403).write('x')],
  ];
  it.each(unreadable)('makes a call once that is answered with 403 and a body %s', async (_, answer) => {
    const upstream = await startUpstream({ '/': answer });
    const timeout = { more: ', timeout: 1s' };
    const { failure, attempts } = await tried(calling(upstream.url('/')), timeout);
    expect(failure?.message).toMatch(/^HTTP 403, and its body could not be read: GET .* \(not retried\)$/);
    expect({ calls: upstream.count('/'), attempts }).toEqual({ calls: 1, attempts: 1 });
  });

  it('makes a call again whose body could not be read where its status is another, or expected', async () => {
    const broken = (status: number) => bytes('x', { 'content-encoding': 'br' }, status);
    const upstream = await startUpstream({
      '/429': broken(429),
      '/503': broken(503),
      '/404': inSequence(broken(404), json({ a: 1 }, 404)),
    });
    const nodes = ['/429', '/503'].map((path) => calling(upstream.url(path)));
    const expecting = `${calling(upstream.url('/404'))}, expect: [404]`;
    const all = [];
    for (const node of [...nodes, expecting]) all.push((await tried(node)).attempts);
    expect(all).toEqual([3, 3, 2]);
  });

  it('tries again where nothing listens', async () => {
    const upstream = await startUpstream();
    await upstream.close();
    expect(await tried(calling(upstream.url('/')))).toMatchObject({ attempts: 3, failure: { attempts: 3 } });
  });

  it('stops at the first answer that would be the same again', async () => {
    const upstream = await startUpstream({ '/': inSequence(json({}, 503), json({}, 404), json({ a: 1 })) });
    const { failure, waitedMs } = await tried(calling(upstream.url('/')));
    expect(failure).toMatchObject({ attempts: 2, message: expect.stringContaining('HTTP 404') as string });
    expect({ calls: upstream.count('/'), waitedMs }).toEqual({ calls: 2, waitedMs: hour });
  });

  it('takes its "onError" at once, and an expected status as an answer', async () => {
    const upstream = await startUpstream({ '/': json({}, 404) });
    const node = calling(upstream.url('/'));
    const replaced = await tried(node, { more: ', onError: { value: none }' });
    expect(replaced).toMatchObject({ outputs: [{ got: 'none' }], attempts: 1, waitedMs: 0 });
    const expected = await tried(`${node}, expect: [404]`);
    expect(expected).toMatchObject({ outputs: [{ got: { status: 404 } }], attempts: 1, waitedMs: 0 });
    expect(upstream.count('/')).toBe(2);
  });

  it('asks a model once that does not exist', async () => {
    const upstream = await startUpstream({ '/v1/chat/completions': json({ error: 'no such model' }, 404) });
    const node = `type: llm, baseUrl: "${upstream.url('/v1')}", model: m, messages: [{ role: user, content: hi }]`;
    expect(await tried(node)).toMatchObject({ attempts: 1, waitedMs: 0 });
    expect(upstream.calls).toHaveLength(1);
  });
});

describe('a call that Rowbench itself refuses is tried once and reaches nothing', () => {
  const token = (...hosts: string[]): Secret => ({ name: 'TOKEN', value: 'abcdefghijklmnop', hosts });
  const auth = ', auth: { secret: TOKEN }';
  const cases: readonly (readonly [string, string, string, Options, string])[] = [
    ['a network that was not granted', '', '', { classes: ['public'] }, 'which calls was not granted'],
    ['a secret that is not there', '', auth, {}, 'there is no secret TOKEN'],
    ['a secret of another host', '', auth, { secrets: [token('api.example.com')] }, 'may be sent only to'],
    ['a value in its URL', '{{ row.id }}', '', { row: { id: '..' } }, 'makes ".." a segment'],
    ['a header', '', '', { row: { id: 'a\r\nb: c' } }, 'a character that no header can carry'],
    ['a query', '', '', { row: { q: {} } }, '"q" in "query" is an object'],
  ];

  it.each(cases)('for %s', async (_, path, more, options, words) => {
    const upstream = await startUpstream();
    const own = ', headers: { x-id: "=row.id" }, query: { q: "=row.q" }';
    const { failure, attempts, waitedMs } = await tried(
      `${calling(`${upstream.url('/')}${path}`, own)}${more}`,
      options,
    );
    expect(failure?.message).toContain(words);
    expect(failure?.message).toMatch(/ \(not retried\)$/);
    expect({ calls: upstream.calls.length, attempts, waitedMs }).toEqual({
      calls: 0,
      attempts: 1,
      waitedMs: 0,
    });
  });

  it.each([
    ['=row.url', { url: 'ftp://h.example/' }, 'the url begins with ftp:'],
    ['=row.url', {}, 'the url is missing'],
    ['http://h.example/{{ Symbol() }}', {}, 'the url is refused: a symbol cannot be written into a text'],
    ["http://h.example/{{ encodeURIComponent('a'.repeat(5e6)) }}", {}, 'has more than a million characters'],
    ["='x'.repeat(1e9)", {}, 'the url is refused: Invalid string length'],
    ['=row.url', { url: 'http://169.254.169.254/latest' }, 'credentials, which workflows never get'],
  ])('for the URL %s of %j', async (url, row, words) => {
    const { failure, attempts, waitedMs } = await tried(calling(url), { row });
    expect(failure?.message).toContain(words);
    expect({ attempts, waitedMs }).toEqual({ attempts: 1, waitedMs: 0 });
  });

  it('for Rowbench itself', async () => {
    const upstream = await startUpstream();
    const { failure } = await tried(calling(upstream.url('/')), { ownPorts: () => [upstream.port] });
    expect(failure).toMatchObject({
      attempts: 1,
      message: expect.stringContaining('is Rowbench itself') as string,
    });
    expect(upstream.calls).toEqual([]);
  });

  it('for a body of more than 10 MB', async () => {
    const upstream = await startUpstream();
    const node = calling(upstream.url('/'), ', method: POST, body: "=\'x\'.repeat(10_000_001)"');
    expect(await tried(node)).toMatchObject({ attempts: 1, waitedMs: 0 });
    expect(upstream.calls).toEqual([]);
  });

  it('also where a service leads to it', async () => {
    const routes = { '/ftp': redirectTo('ftp://h.example/'), '/lan': redirectTo('http://10.0.0.1/') };
    const upstream = await startUpstream(routes);
    expect(await tried(calling(upstream.url('/ftp')))).toMatchObject({ attempts: 1, waitedMs: 0 });
    expect(await tried(calling(upstream.url('/lan')))).toMatchObject({ attempts: 1, waitedMs: 0 });
    expect(upstream.calls).toHaveLength(2);
  });
});
