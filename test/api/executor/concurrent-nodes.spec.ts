// Nodes of one row that call out and do not wait for each other run side by side. What comes of the row does not depend on
// which call ends first.
import { describe, expect, it } from 'vitest';
import { deferred } from '../../../src-main/base/deferred.ts';
import { VirtualClock } from '../../../src-main/base/virtual-clock.ts';
import type { UpstreamAnswer } from '../../../src-main/executor/ports.ts';
import { planOf, runRows, testExecution, testPool, type TestRun } from '../../builders/execution-rig.ts';
import { jsonAnswer, scriptedUpstream } from '../../builders/scripted-upstream.ts';
import { planOfSet, workflowOf } from '../../builders/workflow-set.ts';

const call = (id: string, more = ''): string =>
  `  - { id: ${id}, type: http, request: { url: "https://x.example/${id}" }${more} }`;
const withNodes = (nodes: readonly string[], fields: string): string =>
  `\nnodes:\n  - { id: input, type: input }\n${nodes.join('\n')}\n  - { id: out, type: output, fields: ${fields} }`;
const nameOf = (url: string): string => url.split('/').at(-1) ?? '';

/** Answers in the order of the names; a call whose name is missing is answered at once. */
function answersInOrder(order: readonly string[], answer: (name: string) => UpstreamAnswer = jsonAnswer) {
  const answered = new Map(order.map((name) => [name, deferred()]));
  const upstream = scriptedUpstream(async ({ url }) => {
    const name = nameOf(url);
    const at = order.indexOf(name);
    // The first call of the order waits for the last one to arrive, so that all are under way together.
    answered.get(name)?.resolve();
    const before = at < 0 ? [] : order.slice(0, at);
    for (const other of at === 0 ? order : before) await answered.get(other)?.promise;
    return answer(name);
  });
  return upstream;
}

const run = async (nodes: string, more: Partial<TestRun> = {}) =>
  runRows(nodes, { pool: testPool(), rows: [{}], ...more });

describe('independent calls of a row', () => {
  const nodes = withNodes(
    [
      call('a'),
      '  - { id: afterA, type: code, code: "console.log(nodes.a.body); return [nodes.a.body, Math.random()];" }',
      call('b'),
      '  - { id: afterB, type: code, code: "console.log(nodes.b.body); return [nodes.b.body, Math.random()];" }',
      call('c', ', when: nodes.b.body'),
    ],
    '{ a: "=nodes.afterA", b: "=nodes.afterB", c: "=nodes.c.body" }',
  );

  it.each([[['a', 'b']], [['b', 'a']]])(
    'are under way together and give the same, answered as %j',
    async (order) => {
      const done = await run(nodes, { upstream: answersInOrder(order) });
      const [{ a, b, c }] = done.outputs as [{ a: unknown[]; b: unknown[]; c: unknown }];
      expect([a[0], b[0], c]).toEqual(['a', 'b', 'c']);
      const ordered = await run(nodes.replace('id: b,', 'id: b, after: afterA,'), {
        upstream: scriptedUpstream(({ url }) => jsonAnswer(nameOf(url))),
      });
      expect(ordered.outputs).toEqual(done.outputs);
      const [trace] = done.traces;
      expect(trace?.nodes.map(({ end }) => end)).toEqual(Array(7).fill('done'));
      expect(trace?.calls.map(({ url }) => nameOf(url))).toEqual(['a', 'b', 'c']);
      expect(trace?.logs.map(([, , text]) => text)).toEqual(['a', 'b']);
    },
  );

  it('are made behind an assert only if it holds', async () => {
    const upstream = scriptedUpstream(({ url }) => jsonAnswer(nameOf(url)));
    const guarded = withNodes(
      [
        call('a'),
        '  - { id: ok, type: assert, that: nodes.a.body === "b", message: no }',
        call('b'),
        call('c'),
      ],
      '{ x: 1 }',
    );
    expect((await run(guarded, { upstream })).failures).toMatchObject([{ nodeId: 'ok' }]);
    expect(upstream.requests.map(({ url }) => nameOf(url))).toEqual(['a']);
  });

  it('are not made once a node before them has failed', async () => {
    const upstream = scriptedUpstream(({ url }) => jsonAnswer(nameOf(url)));
    const failing = withNodes(
      ['  - { id: bad, type: code, code: "throw 5;" }', call('a'), call('b')],
      '{ x: 1 }',
    );
    expect((await run(failing, { upstream })).failures).toMatchObject([{ nodeId: 'bad' }]);
    expect(upstream.requests).toEqual([]);
  });
});

describe('a row with several failing calls', () => {
  const nodes = withNodes(
    [
      call('a'),
      call('b', ', retry: { attempts: 2, delay: 1h }'),
      call('c', ', when: nodes.a.body'),
      call('d'),
    ],
    '{ x: "=nodes.c.body" }',
  );
  const answer = (name: string): UpstreamAnswer => jsonAnswer(name, { status: name === 'a' ? 200 : 500 });

  it.each([[['a', 'b', 'd']], [['d', 'b', 'a']], [['b', 'd', 'a']]])(
    'reports the first one in the order of the nodes, answered as %j',
    async (order) => {
      const first = answersInOrder(order, answer);
      const upstream = scriptedUpstream(async (request, nth, around) =>
        nth <= 3 ? first.call(request, around) : answer(nameOf(request.url)),
      );
      const done = await run(nodes, { upstream, clock: new VirtualClock(0) });
      expect(done.failures).toEqual([
        { row: 1, nodeId: 'b', message: 'HTTP 500 from GET https://x.example/b', attempts: 2 },
      ]);
      const ends = done.traces[0]?.nodes.map(({ end }) => end);
      expect(ends?.slice(0, 3)).toEqual(['done', 'done', 'failed']);
      expect(ends?.[4]).toBe('not reached');
    },
  );

  it('goes on where onError gives values', async () => {
    const replaced = withNodes(
      [
        call('a', ', onError: { value: { body: none } }'),
        call('b', ', onError: { value: { body: "={ s: error.status }" } }'),
      ],
      '{ a: "=nodes.a.body", b: "=nodes.b.body" }',
    );
    const done = await run(replaced, {
      upstream: answersInOrder(['b', 'a'], () => jsonAnswer({}, { status: 503 })),
    });
    expect(done.outputs).toEqual([{ a: 'none', b: { s: 503 } }]);
    expect(done.traces[0]?.replaced.map(({ nodeIndex }) => nodeIndex)).toEqual([1, 2]);
  });
});

describe('around concurrent calls', () => {
  it('rows keep their order, and each has its own values', async () => {
    const upstream = scriptedUpstream(async ({ url }, nth) => {
      for (let ticks = 0; ticks < (nth * 7) % 5; ticks += 1) await Promise.resolve();
      return jsonAnswer(nameOf(url));
    });
    const row = withNodes(
      ['a', 'b', 'c'].map(
        (id) => `  - { id: ${id}, type: http, request: { url: "https://x.example/${id}{{ row.n }}" } }`,
      ),
      '{ got: "=[nodes.a.body, nodes.b.body, nodes.c.body]" }',
    );
    const rows = Array.from({ length: 40 }, (_, n) => ({ n }));
    const done = await run(row, { upstream, rows });
    expect(done.outputs).toEqual(rows.map(({ n }) => ({ got: [`a${n}`, `b${n}`, `c${n}`] })));
  });

  it('a pause waits for all of them, and begins none', async () => {
    const started = deferred();
    const answers = deferred();
    const upstream = scriptedUpstream(async ({ url }, nth) => {
      if (nth === 2) started.resolve();
      if (nth <= 2) await answers.promise;
      return jsonAnswer(nameOf(url));
    });
    const plan = planOf(
      withNodes(
        [call('a'), call('b'), call('c', ', when: nodes.a.body && nodes.b.body')],
        '{ c: "=nodes.c.body" }',
      ),
    );
    const { execution, sink } = testExecution(plan, { pool: testPool(), rows: [{}], upstream });
    const ended = execution.run();
    await started.promise;
    const paused = execution.pause();
    answers.resolve();
    await paused;
    expect(upstream.requests).toHaveLength(2);
    execution.resume();
    await ended;
    expect(sink.outputs).toEqual([{ c: 'c' }]);
  });

  it('a cancelled run ends while they are under way', async () => {
    const started = deferred();
    const upstream = scriptedUpstream(async (_, nth, { signal }) => {
      if (nth === 2) started.resolve();
      return new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error)),
      );
    });
    const plan = planOf(withNodes([call('a'), call('b')], '{ x: 1 }'));
    const { execution } = testExecution(plan, { pool: testPool(), rows: [{}], upstream });
    const ended = execution.run();
    await started.promise;
    await execution.cancel();
    expect(await ended).toEqual({ kind: 'cancelled' });
  });

  it('called workflows that call out run side by side, within their time limits', async () => {
    const inner = workflowOf(
      'inner',
      `  - { id: p, type: http, request: { url: "https://x.example/{{ row.n }}p" }, retry: { attempts: 2, delay: 2s } }
  - { id: q, type: http, request: { url: "https://x.example/{{ row.n }}q" }, retry: { attempts: 2, delay: 2s } }`,
      '{ got: "=[nodes.p.body, nodes.q.body]" }',
    );
    const outer = workflowOf(
      'outer',
      ['x', 'y']
        .map((id) => `  - { id: ${id}, type: workflow, workflow: inner, row: { n: ${id} }, timeout: 3s }`)
        .join('\n'),
      '{ x: "=nodes.x.got", y: "=nodes.y.got" }',
    );
    const seen = new Set<string>();
    const upstream = scriptedUpstream(({ url }) => {
      const isFirst = !seen.has(url);
      seen.add(url);
      return jsonAnswer(nameOf(url), { status: isFirst ? 503 : 200 });
    });
    const clock = new VirtualClock(0);
    const { execution, sink } = testExecution(planOfSet([outer, inner]), {
      pool: testPool(),
      rows: [{}],
      upstream,
      clock,
    });
    await execution.run();
    expect(sink.outputs).toEqual([{ x: ['xp', 'xq'], y: ['yp', 'yq'] }]);
    expect(clock.monotonic()).toBe(2000);
    expect(sink.states).toMatchObject([{ retries: 4 }]);
  });
});
