// Items of a node with `concurrency` run side by side; what comes of them does not depend on which one ends first.
import { describe, expect, it } from 'vitest';
import { deferred } from '../../../src-main/base/deferred.ts';
import { VirtualClock } from '../../../src-main/base/virtual-clock.ts';
import type { UpstreamAnswer } from '../../../src-main/executor/ports.ts';
import { planOf, runRows, testExecution, testPool } from '../../builders/execution-rig.ts';
import { jsonAnswer, scriptedUpstream } from '../../builders/scripted-upstream.ts';
import { planOfSet, workflowOf } from '../../builders/workflow-set.ts';

const withNode = (node: string, value = '=nodes.x'): string => `
nodes:
  - { id: input, type: input }
  - { id: x, ${node} }
  - { id: out, type: output, fields: { got: "${value}" } }`;

const calls = 'type: http, each: row.list, request: { url: "https://x.example/{{ item }}" }';
const itemOf = (url: string): number => Number(url.split('/').at(-1));

/** Answers once `together` calls are under way, the last one first. */
function answersTogether(together: number, answer: (item: number) => UpstreamAnswer) {
  let open: (() => void)[] = [];
  let most = 0;
  const upstream = scriptedUpstream(async ({ url }) => {
    const turn = deferred();
    open.push(turn.resolve);
    most = Math.max(most, open.length);
    if (open.length >= together) {
      for (const resolve of open.reverse()) resolve();
      open = [];
    }
    await turn.promise;
    return answer(itemOf(url));
  });
  return { upstream, most: () => most };
}

const list = (length: number): number[] => Array.from({ length }, (_, index) => index + 1);

describe('items with concurrency', () => {
  it('are all in flight at once, and their results keep the order of the list', async () => {
    const { upstream, most } = answersTogether(20, (item) => jsonAnswer(item * 2));
    const nodes = withNode(`${calls}, concurrency: 20`, '=nodes.x.map((one) => one.body)');
    const done = await runRows(nodes, { pool: testPool(), rows: [{ list: list(20) }], upstream });
    expect(done.outputs).toEqual([{ got: list(20).map((item) => item * 2) }]);
    expect(most()).toBe(20);
    const [trace] = done.traces;
    expect(trace?.nodes[1]).toMatchObject({ end: 'done', items: 20, attempts: 20 });
    expect(trace?.calls.map(({ item }) => item)).toEqual(list(20).map((item) => item - 1));
  });

  it('are never more than the file says', async () => {
    const { upstream, most } = answersTogether(3, (item) => jsonAnswer(item));
    const nodes = withNode(`${calls}, concurrency: 3`, '=nodes.x.length');
    const done = await runRows(nodes, { pool: testPool(), rows: [{ list: list(9) }], upstream });
    expect(done.outputs).toEqual([{ got: 9 }]);
    expect(most()).toBe(3);
  });

  it('see the same random numbers as one after the other', async () => {
    const random = 'type: workflow, workflow: inner, each: row.list, row: "={ item }"';
    const inner = workflowOf(
      'inner',
      '  - { id: wait, type: delay, for: "=100 - row.item" }\n  - { id: n, type: code, after: wait, code: "return Math.random();" }',
      '{ n: "=nodes.n" }',
    );
    const numbers = async (more: string): Promise<unknown> => {
      const plan = planOfSet([
        workflowOf('outer', `  - { id: x, ${random}${more} }`, '{ got: "=nodes.x" }'),
        inner,
      ]);
      const clock = new VirtualClock(0);
      const { execution, sink } = testExecution(plan, { pool: testPool(), rows: [{ list: list(5) }], clock });
      await execution.run();
      return sink.outputs;
    };
    expect(await numbers(', concurrency: 5')).toEqual(await numbers(''));
  });

  it('wait side by side on a virtual clock', async () => {
    const clock = new VirtualClock(0);
    const nodes = withNode('type: delay, each: row.list, for: 1h, concurrency: 4');
    const done = await runRows(nodes, { pool: testPool(), rows: [{ list: list(8) }, { list: [] }], clock });
    expect(done.outputs).toEqual([{ got: list(8).map(() => null) }, { got: [] }]);
    expect(clock.monotonic()).toBe(2 * 3_600_000);
  });

  it('retry and fall back each on its own', async () => {
    const clock = new VirtualClock(0);
    const attempts = new Map<string, number>();
    const upstream = scriptedUpstream(({ url }) => {
      const nth = (attempts.get(url) ?? 0) + 1;
      attempts.set(url, nth);
      return itemOf(url) === 2 || nth === 1 ? jsonAnswer({}, { status: 503 }) : jsonAnswer(nth);
    });
    const more =
      'concurrency: 3, retry: { attempts: 2, delay: 1s }, onError: { value: { body: "={ index, status: error.status }" } }';
    const nodes = withNode(`${calls}, ${more}`, '=nodes.x.map((one) => one.body)');
    const done = await runRows(nodes, { pool: testPool(), rows: [{ list: list(3) }], upstream, clock });
    expect(done.outputs).toEqual([{ got: [2, { index: 1, status: 503 }, 2] }]);
    expect(clock.monotonic()).toBe(1000);
    expect(done.states).toMatchObject([{ retries: 3 }]);
    expect(done.traces[0]?.nodes[1]).toMatchObject({ end: 'replaced', attempts: 6, replacedItems: 1 });
  });

  it('fail the row by the first failed item of the list, whichever failed first', async () => {
    const failing = answersTogether(3, (item) => jsonAnswer({}, { status: item === 1 ? 200 : 500 + item }));
    const nodes = withNode(`${calls}, concurrency: 3, retry: { attempts: 2, delay: 1h }`);
    const done = await runRows(nodes, {
      pool: testPool(),
      rows: [{ list: list(9) }],
      upstream: scriptedUpstream(async (request, nth, around) =>
        nth <= 3 ? failing.upstream.call(request, around) : jsonAnswer({}, { status: 502 }),
      ),
      clock: new VirtualClock(0),
    });
    expect(done.failures).toEqual([
      { row: 1, nodeId: 'x', message: 'item 2 of 9: HTTP 502 from GET https://x.example/2', attempts: 2 },
    ]);
  });

  it('are paused between their calls, and go on after it', async () => {
    const first = deferred();
    const answers = deferred();
    const upstream = scriptedUpstream(async ({ url }, nth) => {
      if (nth === 2) first.resolve();
      if (nth <= 2) await answers.promise;
      return jsonAnswer(itemOf(url));
    });
    const plan = planOf(withNode(`${calls}, concurrency: 2`, '=nodes.x.map((one) => one.body)'));
    const { execution, sink } = testExecution(plan, {
      pool: testPool(),
      rows: [{ list: list(5) }],
      upstream,
    });
    const run = execution.run();
    await first.promise;
    const paused = execution.pause();
    answers.resolve();
    await paused;
    expect(upstream.requests).toHaveLength(2);
    execution.resume();
    await run;
    expect(sink.outputs).toEqual([{ got: [1, 2, 3, 4, 5] }]);
  });

  it('spend the time limit of a called workflow side by side', async () => {
    const inner = workflowOf(
      'inner',
      '  - { id: wait, type: delay, each: "=[1, 2, 3, 4, 5, 6]", concurrency: 3, for: 1s }\n  - { id: last, type: delay, for: 1s, after: wait }',
      '{ n: 1 }',
    );
    const run = async (timeout: string) => {
      const outer = `  - { id: x, type: workflow, workflow: inner, row: {}, timeout: ${timeout}, onError: { value: =error.message } }`;
      const plan = planOfSet([workflowOf('outer', outer, '{ got: "=nodes.x" }'), inner]);
      const clock = new VirtualClock(0);
      const { execution, sink } = testExecution(plan, { pool: testPool(), rows: [{}], clock });
      await execution.run();
      return sink.outputs[0];
    };
    expect(await run('3s')).toEqual({ got: { n: 1 } });
    expect(await run('2500ms')).toEqual({ got: expect.stringContaining('timed out after 2.5 s') as string });
  });

  it('of code that awaits run one after the other', async () => {
    const code =
      'type: code, each: row.list, concurrency: 4, code: "await null; return [item, Math.random() < 1];"';
    const done = await runRows(withNode(code), { pool: testPool(), rows: [{ list: list(6) }] });
    expect(done.outputs).toEqual([{ got: list(6).map((item) => [item, true]) }]);
  });
});
