import { describe, expect, it } from 'vitest';
import { deferred } from '../../../src-main/base/deferred.ts';
import { VirtualClock } from '../../../src-main/base/virtual-clock.ts';
import type { UpstreamAnswer } from '../../../src-main/executor/ports.ts';
import { testExecution, testPool, type TestRun } from '../../builders/execution-rig.ts';
import { jsonAnswer, scriptedUpstream } from '../../builders/scripted-upstream.ts';
import { planOfSet, withBodies, workflowOf } from '../../builders/workflow-set.ts';

const call = (own: string): string => `  - { id: sub, type: workflow, workflow: inner, ${own} }`;
const rowItself = 'row: "=row"';

/** Each rule holds for another file, and for the same nodes as a body. */
const forms = [
  {
    form: 'another file',
    written: (texts: readonly string[]) => texts,
    name: (id: string) => `workflow "${id}"`,
  },
  { form: 'its body', written: withBodies, name: (_: string, node = 'sub') => node },
];

describe.each(forms)('a workflow node with $form', ({ written, name }) => {
  async function run(texts: readonly string[], rows: readonly unknown[], options: Partial<TestRun> = {}) {
    const { execution, sink } = testExecution(planOfSet(written(texts)), {
      pool: testPool(),
      rows,
      ...options,
    });
    const outcome = await execution.run();
    return {
      outcome,
      sink,
      outputs: sink.outputs,
      error: outcome.kind === 'failed' ? outcome.error : undefined,
    };
  }

  const outer = (own: string, fields = '{ got: "=nodes.sub" }') => workflowOf('outer', call(own), fields);

  describe('as a node', () => {
    it('gives the output of the other workflow for the row that it makes', async () => {
      const inner = workflowOf(
        'inner',
        '  - { id: twice, type: set, values: { n: "=row.n * 2" } }',
        '{ n: "=nodes.twice.n", seen: "=row" }',
      );
      const { outputs } = await run(
        [outer('row: { n: "=row.a + 1", who: "{{ row.name }}" }'), inner],
        [{ a: 1, name: 'Ada' }],
      );
      expect(outputs).toEqual([{ got: { n: 4, seen: { n: 2, who: 'Ada' } } }]);
    });

    it('runs once for each item, and not at all where it is skipped', async () => {
      const inner = workflowOf('inner', '', '{ n: "=row.n + 1" }');
      const { outputs } = await run(
        [outer('when: row.list, each: =row.list, row: { n: =item }'), inner],
        [{ list: [1, 2] }, {}],
      );
      expect(outputs).toEqual([{ got: [{ n: 2 }, { n: 3 }] }, { got: null }]);
    });

    it('keeps the names of its nodes apart from those around it', async () => {
      const inner = workflowOf(
        'inner',
        '  - { id: sub, type: set, values: { x: inside } }',
        '{ x: "=nodes.sub.x" }',
      );
      const both = workflowOf(
        'outer',
        `${call(rowItself)}\n  - { id: late, type: set, values: { x: "=nodes.sub.x" } }`,
        '{ x: "=nodes.late.x" }',
      );
      expect((await run([both, inner], [{}])).outputs).toEqual([{ x: 'inside' }]);
    });

    it('gives what no row can change', async () => {
      const inner = workflowOf('inner', '', '{ list: [1] }');
      const { error } = await run([outer(rowItself, '{ got: "=nodes.sub.list.push(2)" }'), inner], [{}]);
      expect(error).toContain('cannot be changed');
    });

    it('fails for a row that is none', async () => {
      const inner = workflowOf('inner', '', '{ a: 1 }');
      expect((await run([outer('row: "=row.list"'), inner], [{ list: [] }])).error).toBe(
        'Node "sub" failed on row 1: "row" is a list, not an object',
      );
    });

    it('answers from a mock without the other workflow', async () => {
      const text = outer(`${rowItself}, mock: { fine: { a: 5 } }`);
      const { execution, sink } = testExecution(
        planOfSet(written([text, workflowOf('inner', '', '{ a: 1 }')]), { sub: 'fine' }),
        {
          pool: testPool(),
          rows: [{}],
        },
      );
      await execution.run();
      expect(sink.outputs).toEqual([{ got: { a: 5 } }]);
    });
  });

  describe('that is called', () => {
    const failing = workflowOf(
      'inner',
      '  - { id: check, type: assert, that: row.ok, message: "{{ row.n }} is not ok" }',
      '{ n: =row.n }',
    );

    it('fails the node that called it, naming both', async () => {
      expect((await run([outer(rowItself), failing], [{ n: 1, ok: true }, { n: 2 }])).error).toBe(
        `Node "sub" failed on row 2: ${name('inner')}, node "check": 2 is not ok`,
      );
    });

    it('can call a third one, and its failure names all three', async () => {
      const middle = workflowOf('middle', call(rowItself), '{ got: "=nodes.sub" }');
      const top = workflowOf(
        'outer',
        '  - { id: first, type: workflow, workflow: middle, row: "=row" }',
        '{ got: "=nodes.first.got.n" }',
      );
      expect((await run([top, middle, failing], [{ n: 3, ok: true }])).outputs).toEqual([{ got: 3 }]);
      expect((await run([top, middle, failing], [{ n: 3 }])).error).toBe(
        `Node "first" failed on row 1: ${name('middle', 'first')}, node "sub": workflow "inner", node "check": 3 is not ok`,
      );
    });

    it('is tried again by retry, then replaced by onError', async () => {
      const own = `${rowItself}, retry: { attempts: 3, delay: 1s }, onError: { value: given up }`;
      const clock = new VirtualClock(0);
      const { outputs, sink } = await run([outer(own), failing], [{ n: 1 }], { clock });
      expect(outputs).toEqual([{ got: 'given up' }]);
      expect(sink.states).toMatchObject([{ retries: 2 }]);
      expect(clock.monotonic()).toBe(2000);
    });

    it('counts its own retries with those of the row', async () => {
      const inner = workflowOf(
        'inner',
        '  - { id: flaky, type: fail, message: no, attempts: 2, retry: { attempts: 3, delay: 0s } }',
        '{ a: 1 }',
      );
      expect((await run([outer(rowItself), inner], [{}])).sink.states).toMatchObject([
        { state: 'done', retries: 2 },
      ]);
    });

    it('draws other numbers for each item and attempt, and the same ones again in a rerun', async () => {
      const inner = workflowOf(
        'inner',
        '  - { id: lots, type: set, values: { r: "=Math.random()" } }',
        '{ r: "=nodes.lots.r" }',
      );
      const text = outer(
        'each: "=[1, 2]", row: { n: =item }',
        '{ a: "=nodes.sub[0].r", b: "=nodes.sub[1].r", own: "=Math.random()" }',
      );
      const first = (await run([text, inner], [{}, {}])).outputs as { a: number; b: number; own: number }[];
      const numbers = first.flatMap(({ a, b, own }) => [a, b, own]);
      expect(new Set(numbers).size).toBe(6);
      expect((await run([text, inner], [{}, {}])).outputs).toEqual(first);
    });

    it('waits beside other rows, and its waits take no time on a virtual clock', async () => {
      const inner = workflowOf('inner', '  - { id: rest, type: delay, for: 1h }', '{ a: 1 }').replace(
        'fields: { a: 1 }',
        'after: rest, fields: { a: 1 }',
      );
      const clock = new VirtualClock(0);
      const rows = Array.from({ length: 16 }, () => ({}));
      expect((await run([outer(rowItself), inner], rows, { clock })).outputs).toHaveLength(16);
      expect(clock.monotonic()).toBe(3_600_000);
    });

    it('makes calls that are known by both nodes, by item, and by attempt', async () => {
      const inner = workflowOf(
        'inner',
        '  - { id: ask, type: http, request: { url: "https://x.example/{{ row.n }}" } }',
        '{ b: "=nodes.ask.body" }',
      );
      const text = outer(
        'each: "=[7, 8]", row: { n: =item }, retry: { attempts: 2, delay: 0s }',
        '{ got: "=nodes.sub.map((one) => one.b)" }',
      );
      const origins: unknown[] = [];
      const upstream = scriptedUpstream(({ url }, nth, { origin }) => {
        origins.push([origin.site, origin.attempt]);
        return nth === 1 ? jsonAnswer({}, { status: 500 }) : jsonAnswer(url.at(-1));
      });
      expect((await run([text, inner], [{}], { upstream })).outputs).toEqual([{ got: ['7', '8'] }]);
      expect(origins).toEqual([
        ['sub/0/ask', 1],
        ['sub/0/ask', 21],
        ['sub/1/ask', 1],
      ]);
      expect(upstream.keys[0]).toBe(upstream.keys[1]);
      expect(upstream.keys[2]).toMatch(/\/sub\/1\/ask$/);
    });
  });

  describe('in its time', () => {
    const slow = workflowOf(
      'inner',
      '  - { id: rest, type: delay, for: 3s, onError: { value: null } }\n  - { id: again, type: delay, after: rest, for: 3s, onError: { value: null } }',
      '{ a: 1 }',
    ).replace('output, ', 'output, after: again, ');

    it('is bounded by the timeout of the node, whatever its own nodes do about errors', async () => {
      const clock = new VirtualClock(0);
      const { error } = await run([outer(`${rowItself}, timeout: 4s`), slow], [{}], { clock });
      expect(error).toBe('Node "sub" failed on row 1: timed out after 4 s');
      expect(clock.monotonic()).toBe(4000);
    });

    it('may be as long as the timeout', async () => {
      const clock = new VirtualClock(0);
      const { outputs } = await run([outer(`${rowItself}, timeout: 6s`), slow], [{}], { clock });
      expect(outputs).toEqual([{ got: { a: 1 } }]);
    });

    it('bounds its calls', async () => {
      const inner = workflowOf(
        'inner',
        '  - { id: ask, type: http, request: { url: "https://x.example" } }',
        '{ b: "=nodes.ask.body" }',
      );
      const upstream = scriptedUpstream(() => jsonAnswer(1));
      await run([outer(`${rowItself}, timeout: 900ms`), inner], [{}], { upstream });
      await run([outer(`${rowItself}, timeout: 50s`), inner], [{}], { upstream });
      const [short, long] = upstream.requests;
      expect(short?.timeoutMs).toBeGreaterThan(0);
      expect(short?.timeoutMs).toBeLessThanOrEqual(900);
      expect(long?.timeoutMs).toBeUndefined();
    });

    it('counts what its nodes compute', async () => {
      const code = '  - { id: slow, type: code, code: "let n = 0; while (n < 3e7) n++; return n" }';
      const inner = workflowOf('inner', code, '{ a: "=nodes.slow" }');
      const { error } = await run([outer(`${rowItself}, timeout: 1ms`), inner], [{}]);
      expect(error).toBe('Node "sub" failed on row 1: timed out after 1 ms');
    });

    it('names the node that never ends, and the next row works', async () => {
      const inner = workflowOf(
        'inner',
        '  - { id: spin, type: code, code: "while (row.bad) {} return 1" }',
        '{ a: "=nodes.spin" }',
      );
      const text = outer(`${rowItself}, onError: { value: none }`).replace(
        'nodes:',
        'onRowError: skip\nnodes:',
      );
      const plain = outer(rowItself).replace('nodes:', 'onRowError: skip\nnodes:');
      const pool = testPool({ timeLimitMs: 200 });
      const { sink } = await run([plain, inner], [{ bad: true }, {}], { pool });
      expect(sink.failures).toMatchObject([
        { row: 1, nodeId: 'sub', message: `${name('inner')}, node "spin": time limit of 200 ms exceeded` },
      ]);
      expect(sink.outputs).toEqual([null, { got: { a: 1 } }]);
      expect((await run([text, inner], [{ bad: true }], { pool })).outputs).toEqual([{ got: 'none' }]);
    });
  });

  describe('under control of its run', () => {
    const inner = workflowOf(
      'inner',
      '  - { id: ask, type: http, request: { url: "https://x.example" } }\n  - { id: next, type: http, request: { url: "https://x.example/{{ nodes.ask.status }}" } }',
      '{ b: "=nodes.next.status" }',
    );

    function underWay() {
      const called = deferred();
      const answer = deferred<UpstreamAnswer>();
      const upstream = scriptedUpstream((_, nth) => {
        called.resolve();
        return nth === 1 ? answer.promise : jsonAnswer(2);
      });
      const plan = planOfSet(written([outer(rowItself, '{ got: "=nodes.sub.b" }'), inner]));
      const execution = testExecution(plan, { pool: testPool(), rows: [{}], upstream });
      return { ...execution, upstream, asked: called.promise, answer: answer.resolve };
    }

    it('a pause waits for its call, then nothing goes on until it is resumed', async () => {
      const { execution, sink, upstream, asked: called, answer } = underWay();
      const outcome = execution.run();
      await called;
      const paused = execution.pause();
      answer(jsonAnswer(1));
      await paused;
      expect(upstream.requests).toHaveLength(1);
      execution.resume();
      expect(await outcome).toEqual({ kind: 'completed' });
      expect(sink.outputs).toEqual([{ got: 200 }]);
    });

    it('a cancel interrupts it', async () => {
      const { execution, asked: called } = underWay();
      const outcome = execution.run();
      await called;
      await execution.cancel();
      expect(await outcome).toEqual({ kind: 'cancelled' });
    });
  });
});
