// Nodes with `repeat`: pages that follow each other, and jobs that are asked for until they are done.
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src-main/base/virtual-clock.ts';
import { emptyCassette } from '../../../src-main/domain/cassette/cassette.ts';
import { Recording } from '../../../src-main/domain/cassette/recording.ts';
import type { UpstreamAnswer, UpstreamRequest } from '../../../src-main/executor/ports.ts';
import { RecordingUpstream } from '../../../src-main/executor/upstream/cassette/recording-upstream.ts';
import { ReplayingUpstream } from '../../../src-main/executor/upstream/cassette/replaying-upstream.ts';
import { planOf, runRows, testExecution, testPool, type TestRun } from '../../builders/execution-rig.ts';
import { jsonAnswer, scriptedUpstream } from '../../builders/scripted-upstream.ts';
import { planOfSet, workflowOf } from '../../builders/workflow-set.ts';

const withNode = (node: string, value = '=nodes.x'): string => `
nodes:
  - { id: input, type: input }
  - { id: x, ${node} }
  - { id: out, type: output, fields: { got: "${value}" } }`;

const pages = (repeat: string, more = ''): string =>
  `type: http, request: { url: "https://x.example/list", query: { size: 2 } }, repeat: { ${repeat} }${more}`;

/** A list of `count` numbers, two on a page, with a cursor to the next page. */
const listOf =
  (count: number) =>
  ({ url }: UpstreamRequest): UpstreamAnswer => {
    const from = Number(new URL(url).searchParams.get('cursor') ?? 0);
    const items = [from, from + 1].filter((item) => item < count);
    return jsonAnswer({ items, next: from + 2 < count ? from + 2 : null });
  };

const cursor = 'while: previous.body.next != null, next: { query: { cursor: =previous.body.next } }';

async function ran(
  nodes: string,
  answer: (request: UpstreamRequest, nth: number) => UpstreamAnswer,
  more = {},
) {
  const upstream = scriptedUpstream(answer);
  const options: TestRun = { pool: testPool(), rows: [{}], upstream, clock: new VirtualClock(0), ...more };
  const done = await runRows(nodes, options);
  const { outcome } = done;
  return {
    done,
    urls: upstream.requests.map(({ url }) => url.replace('https://x.example', '')),
    upstream,
    got: outcome.kind === 'failed' ? outcome.error : (done.outputs[0] as { got: unknown }).got,
  };
}

describe('pages', () => {
  it('are fetched by a cursor, and their lists put together', async () => {
    const nodes = withNode(pages(`${cursor}, collect: previous.body.items`));
    const { got, urls, upstream, done } = await ran(nodes, listOf(5));
    expect(got).toEqual([0, 1, 2, 3, 4]);
    expect(urls).toEqual(['/list?size=2', '/list?size=2&cursor=2', '/list?size=2&cursor=4']);
    expect(new Set(upstream.keys).size).toBe(3);
    const [trace] = done.traces;
    expect(trace?.nodes[1]).toMatchObject({ end: 'done', attempts: 3, repeatedCalls: 3 });
    expect(trace?.nodes[1]).not.toHaveProperty('items');
    expect(trace?.calls.map(({ round }) => round)).toEqual([1, 2, 3]);
    expect(done.nodes[1]).toMatchObject({ done: 1, retries: 0 });
  });

  it('are fetched by number, and without collect the last answer is the value', async () => {
    const repeat = 'while: previous.body.length > 0, next: { query: { page: =round, size: null } }';
    const { got, urls } = await ran(withNode(pages(repeat), '=nodes.x.body'), (_, nth) =>
      jsonAnswer(nth < 3 ? [nth] : []),
    );
    expect(got).toEqual([]);
    expect(urls).toEqual(['/list?size=2', '/list?page=2', '/list?page=3']);
  });

  // All pairs were decoded and encoded again, also those that stay.
  it('are fetched with the rest of the query as it is written', async () => {
    const url = 'https://x.example/list?flag&d=%E9&t=a%20b&page%5B%5D=0&page[]=0&n=1';
    const node = `type: http, request: { url: "${url}", query: { z: "a b" } },
      repeat: { while: round < 3, next: { query: { "page[]": =round, n: null } } }`;
    const { urls } = await ran(withNode(node), () => jsonAnswer(1));
    const rest = '/list?flag&d=%E9&t=a%20b';
    expect(urls).toEqual([
      `${rest}&page%5B%5D=0&page[]=0&n=1&z=a%20b`,
      `${rest}&z=a%20b&page%5B%5D=2`,
      `${rest}&z=a%20b&page%5B%5D=3`,
    ]);
  });

  it.each(['https://x.example/list?p=2', '/list?p=2', '?p=2'])('are fetched by a link: %s', async (link) => {
    const repeat = 'while: previous.body != null, next: { url: =previous.body }, collect: previous.status';
    const { got, urls } = await ran(withNode(pages(repeat)), (_, nth) => jsonAnswer(nth === 1 ? link : null));
    expect(got).toEqual([200, 200]);
    expect(urls).toEqual(['/list?size=2', '/list?p=2']);
  });

  it.each([
    [
      'https://other.example/list',
      'the next url leads to https://other.example, and may only lead to https://x.example',
    ],
    ['http://x.example/list', 'the next url leads to http://x.example'],
    ['//other.example/list', 'the next url leads to https://other.example'],
    ['https://me:word@x.example/', 'a url holds no user name or password'],
    ['/a/../b', 'the url is refused: ".." is a segment of its path'],
    [null, 'the url is null, not text'],
  ])('are not fetched from elsewhere: %s', async (link, message) => {
    const repeat = 'while: true, next: { url: =previous.body }';
    const nodes = withNode(pages(repeat, ', retry: { attempts: 3 }'));
    const { got, urls } = await ran(nodes, () => jsonAnswer(link));
    expect(got).toContain(`Node "x" failed on row 1: call 2: ${message}`);
    expect(urls).toHaveLength(1);
  });

  it('may change headers and body', async () => {
    const node = `type: http, request: { method: POST, url: "https://x.example/q", headers: { A: one, B: two }, body: { n: 0 } },
      repeat: { while: round < 2, next: { headers: { a: null, C: =previous.status }, body: { n: =round } } }`;
    const { upstream } = await ran(withNode(node), () => jsonAnswer(1));
    expect(upstream.requests).toMatchObject([
      {
        headers: [
          ['a', 'one'],
          ['b', 'two'],
          ['content-type', 'application/json'],
        ],
        body: '{"n":0}',
      },
      {
        headers: [
          ['b', 'two'],
          ['c', '200'],
          ['content-type', 'application/json'],
        ],
        body: '{"n":2}',
      },
    ]);
  });

  it.each([
    ['max: 3', 'Node "x" failed on row 1: "repeat" made 3 calls, its maximum, and "while" still holds'],
    ['max: 3, atMax: stop, collect: round', [1, 2, 3]],
  ])('end at the maximum: %s', async (more, value) => {
    const { got, urls } = await ran(withNode(pages(`while: true, ${more}`)), () => jsonAnswer(1));
    expect(got).toEqual(value);
    expect(urls).toHaveLength(3);
  });

  it('are each retried, with attempts and waits of their own', async () => {
    const nodes = withNode(
      pages(`${cursor}, collect: previous.body.items`, ', retry: { attempts: 2, delay: 1m }'),
    );
    const { got, done } = await ran(nodes, (request, nth) =>
      nth % 2 === 1 ? jsonAnswer({}, { status: 503 }) : listOf(4)(request),
    );
    expect(got).toEqual([0, 1, 2, 3]);
    expect(done.traces[0]?.nodes[1]).toMatchObject({ attempts: 4, repeatedCalls: 2 });
    expect(done.nodes[1]).toMatchObject({ retries: 2 });
  });

  it('name the call that fails, and give way to onError one by one', async () => {
    const answer = (request: UpstreamRequest, nth: number): UpstreamAnswer =>
      nth === 2 ? jsonAnswer({ message: 'gone' }, { status: 410 }) : listOf(6)(request);
    const failing = await ran(withNode(pages(`${cursor}, collect: previous.body.items`)), answer);
    expect(failing.got).toBe(
      'Node "x" failed on row 1: call 2: HTTP 410 from GET https://x.example/list: gone',
    );
    const onError = ', onError: { value: { body: { items: ["?"], next: null, was: =error.status } } }';
    const replaced = await ran(withNode(pages(`${cursor}, collect: previous.body.items`, onError)), answer);
    expect(replaced.got).toEqual([0, 1, '?']);
    expect(replaced.done.traces[0]?.nodes[1]).toMatchObject({ end: 'replaced', replacedItems: 1 });
    expect(replaced.done.traces[0]?.replaced[0]?.message).toContain('call 2: HTTP 410');
  });

  it('as a whole give way to onError where repeat itself fails', async () => {
    const more = ', onError: { value: "{{ error.message }}" }';
    const { got } = await ran(withNode(pages('while: previous.body.no.such', more)), () => jsonAnswer(1));
    expect(got).toContain("Cannot read properties of undefined (reading 'such')");
  });

  it('belong to one item of each', async () => {
    const node = `type: http, each: row.lists, concurrency: 2, request: { url: "https://x.example/{{ item }}" },
      repeat: { while: round < item, collect: "index + ':' + round" }`;
    const { got, done } = await ran(withNode(node), () => jsonAnswer(1), { rows: [{ lists: [1, 3] }] });
    expect(got).toEqual([['0:1'], ['1:1', '1:2', '1:3']]);
    expect(done.traces[0]?.nodes[1]).toMatchObject({ items: 2, repeatedCalls: 4, attempts: 4 });
    expect(done.traces[0]?.calls.map(({ item, round }) => [item, round])).toEqual([
      [0, 1],
      [1, 1],
      [1, 2],
      [1, 3],
    ]);
  });

  it('are not asked for where a mock gives the value of the node', async () => {
    const plan = planOf(withNode(pages(`${cursor}, max: 2`, ', mock: { two: [0, 1] }')), { x: 'two' });
    const { execution, sink } = testExecution(plan, { pool: testPool(), rows: [{}] });
    expect(await execution.run()).toEqual({ kind: 'completed' });
    expect(sink.outputs).toEqual([{ got: [0, 1] }]);
  });
});

describe('a job', () => {
  const job = (repeat: string): string =>
    withNode(`type: http, request: { url: "https://x.example/job" }, repeat: { ${repeat} }`, '=nodes.x.body');
  const running = (_: UpstreamRequest, nth: number): UpstreamAnswer =>
    jsonAnswer(nth < 4 ? 'running' : 'done');

  it('is asked for until it is done, with waits on the clock of the run', async () => {
    const clock = new VirtualClock(0);
    const repeat = "while: previous.body == 'running', wait: =round * 60000";
    const { got, urls } = await ran(job(repeat), running, { clock });
    expect(got).toBe('done');
    expect(urls).toHaveLength(4);
    expect(clock.now()).toBe(6 * 60_000);
  });

  it.each([
    ['=-1', '"wait" must be milliseconds'],
    ['=previous.body', '"wait" must be milliseconds'],
  ])('is given up where the wait is none: %s', async (wait, message) => {
    expect((await ran(job(`while: true, wait: ${wait}`), running)).got).toContain(message);
  });

  it('is replayed as it was recorded, each call with its own answer', async () => {
    const recording = new Recording(emptyCassette);
    const recorder = {
      matchHeaders: ['content-type'],
      keepHeaders: [],
      add: async (call: Parameters<Recording['take']>[0]) => void recording.take(call),
      close: async () => undefined,
    };
    const clock = new VirtualClock(0);
    const live = scriptedUpstream(running);
    const nodes = withNode(
      "type: http, request: { url: 'https://x.example/job' }, repeat: { while: previous.body == 'running', wait: 1h, collect: previous.body }",
    );
    const options = { pool: testPool(), rows: [{}], clock };
    const recorded = await runRows(nodes, {
      ...options,
      upstream: new RecordingUpstream({ live, recorder, runId: 'run', clock }),
    });
    expect(recorded.outputs).toEqual([{ got: ['running', 'running', 'running', 'done'] }]);
    const upstream = new ReplayingUpstream(recording.cassette(), 'the cassette');
    const replayed = await runRows(nodes, { ...options, clock: new VirtualClock(0), upstream });
    expect(replayed.outputs).toEqual(recorded.outputs);
  });

  it('stops between two calls when the run is cancelled', async () => {
    const upstream = scriptedUpstream(() => jsonAnswer('running'));
    const plan = planOf(job("while: previous.body == 'running', wait: 1h, max: 1000"));
    const { execution } = testExecution(plan, { pool: testPool(), rows: [{}], upstream });
    const ended = execution.run();
    await expect.poll(() => upstream.requests.length).toBe(1);
    await execution.stop();
    expect(await ended).not.toEqual({ kind: 'completed' });
    expect(upstream.requests).toHaveLength(1);
  });

  it('of another workflow is repeated with the next row, and its own random numbers', async () => {
    const inner = workflowOf('inner', '', '{ n: "=row.n + 1", chance: "=Math.random()" }');
    const node =
      'type: workflow, workflow: inner, row: { n: 0 }, repeat: { while: previous.n < 3, next: { row: =previous }, collect: previous }';
    const plan = planOfSet([workflowOf('outer', `  - { id: x, ${node} }`, '{ got: "=nodes.x" }'), inner]);
    const { execution, sink } = testExecution(plan, { pool: testPool(), rows: [{}] });
    expect(await execution.run()).toEqual({ kind: 'completed' });
    const { got } = sink.outputs[0] as { got: { n: number; chance: number }[] };
    expect(got.map(({ n }) => n)).toEqual([1, 2, 3]);
    expect(new Set(got.map(({ chance }) => chance)).size).toBe(3);
  });
});
