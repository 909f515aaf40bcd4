// Workflow nodes with `share: run`, run by row workers: which rows run the inner workflow, and what the others see of it.
import { describe, expect, it } from 'vitest';
import { deferred } from '../../../src-main/base/deferred.ts';
import { sleep } from '../../../src-main/base/sleep.ts';
import { systemClock } from '../../../src-main/base/system-clock.ts';
import { VirtualClock } from '../../../src-main/base/virtual-clock.ts';
import type { UpstreamRequest } from '../../../src-main/executor/ports.ts';
import { upstreamOfRows } from '../../../src-main/services/runs/upstreams.ts';
import { testExecution, testPool, type TestRun } from '../../builders/execution-rig.ts';
import { jsonAnswer, scriptedUpstream } from '../../builders/scripted-upstream.ts';
import { planOfSet, withBodies, workflowOf } from '../../builders/workflow-set.ts';

type Answer = Parameters<typeof scriptedUpstream>[0];
type Scenario = Parameters<typeof upstreamOfRows>[1]['scenario'];

const call = '  - { id: ask, type: http, request: { url: "https://e.example/{{ row.domain }}" } }';
const inner = workflowOf('inner', call, '{ got: =nodes.ask.body, dice: =Math.random() }');
const outer = (keys = 'share: run', head = '') =>
  `${workflowOf(
    'outer',
    `  - { id: sub, type: workflow, workflow: inner, row: { domain: =row.domain }, ${keys} }`,
    '{ got: =nodes.sub }',
  )}${head}`;

/** A service that hangs: the call ends at its time limit, by a timer that is early. */
const hanging = async ({ timeoutMs = 30_000 }: UpstreamRequest, signal: AbortSignal) => {
  await sleep(systemClock, timeoutMs - 1, signal);
  return { kind: 'failed', message: 'took too long' } as const;
};

const domains = ['a.example', 'b.example', 'c.example'];
const rowsOf = (count: number) => Array.from({ length: count }, (_, row) => ({ domain: domains[row % 3] }));

async function run(
  texts: readonly string[],
  rows: readonly unknown[],
  {
    answer = ({ url }) => jsonAnswer(url.length),
    scenario = {},
    ...options
  }: Partial<TestRun> & { readonly answer?: Answer; readonly scenario?: Scenario } = {},
) {
  const services = scriptedUpstream(answer);
  const about = { runId: 'test-run', scenario, seed: { random: 1, time: 0 }, clock: 'virtual' as const };
  const upstream = upstreamOfRows(services, about, { clock: systemClock });
  const { execution, sink } = testExecution(planOfSet(texts), {
    pool: testPool(),
    rows,
    upstream,
    detail: 'full',
    maxTraceBytes: 1e9,
    ...options,
  });
  const outcome = await execution.run();
  return { outcome, sink, services, outputs: sink.outputs };
}

const forms = [
  { form: 'another file', written: (texts: readonly string[]) => texts },
  { form: 'its body', written: withBodies },
];

describe.each(forms)('a shared workflow node with $form', ({ written }) => {
  it.each([1, 64])('runs once per row, with %i rows in flight', async (concurrency) => {
    const head = `concurrency: ${concurrency}\n`;
    const { outcome, services, outputs, sink } = await run(
      written([outer('share: run', head), inner]),
      rowsOf(30),
    );
    expect(outcome).toEqual({ kind: 'completed' });
    expect(services.requests).toHaveLength(3);
    expect(new Set(outputs.map((output) => JSON.stringify(output))).size).toBe(3);
    expect(sink.nodes.find(({ nodeId }) => nodeId === 'sub')?.calls).toEqual({
      answered: 3,
      played: 0,
      shared: 27,
    });
    expect(services.keys.every((key) => /^test-run\/share\/[0-9a-f]{32}\/ask$/.test(key))).toBe(true);
    expect(new Set(services.keys).size).toBe(3);
  });

  it('gives the outputs of a run without "share"', async () => {
    const fields = '{ got: =nodes.ask.body, none: =undefined, row: =row }';
    const texts = (keys: string) => written([outer(keys), workflowOf('inner', call, fields)]);
    const shared = await run(texts('share: run'), rowsOf(12));
    const alone = await run(texts('timeout: 9s'), rowsOf(12));
    expect(shared.sink.lines).toEqual(alone.sink.lines);
    expect([shared.services.requests.length, alone.services.requests.length]).toEqual([3, 12]);
  });

  it('has the same random numbers and faults whichever row is first', async () => {
    const texts = written([outer('share: run', 'onRowError: skip\n'), inner]);
    const rows = Array.from({ length: 60 }, (_, row) => ({ domain: `${row % 20}.example` }));
    const byDomain = async (order: readonly { domain: string }[]) => {
      const { outputs } = await run(texts, order, { scenario: { 'upstream-5xx': 0.4 } });
      return new Map(order.map(({ domain }, row) => [domain, JSON.stringify(outputs[row])]));
    };
    const forth = await byDomain(rows);
    const back = await byDomain([...rows].reverse());
    // Rows that come after a failure run it again, with other faults.
    const both = [...forth].filter(([domain, output]) => output !== 'null' && back.get(domain) !== 'null');
    expect(both.length).toBeGreaterThan(3);
    for (const [domain, output] of both) expect(back.get(domain)).toBe(output);
  });

  it('fails all rows that wait, and runs once more for their next attempts', async () => {
    const { outcome, outputs, services, sink } = await run(
      written([outer('share: run, retry: { attempts: 3, delay: 20ms }', 'concurrency: 64\n'), inner]),
      rowsOf(60),
      { answer: (_, nth) => (nth <= 6 ? jsonAnswer('busy', { status: 503 }) : jsonAnswer('yes')) },
    );
    expect([outcome, sink.failures]).toEqual([{ kind: 'completed' }, []]);
    expect(services.requests.length).toBeLessThanOrEqual(9);
    expect(new Set(outputs.map((output) => JSON.stringify(output))).size).toBe(3);
  });

  it('gives all rows the same error, which is not tried again where that is no use', async () => {
    const onError = 'onError: { value: { e: =error } }';
    const { outputs, services } = await run(
      written([
        outer(`share: run, retry: { attempts: 3, delay: 1ms }, ${onError}`, 'concurrency: 64\n'),
        inner,
      ]),
      Array(8).fill({ domain: 'a' }),
      {
        answer: async () => {
          await new Promise((resolve) => setTimeout(resolve, 100));
          return jsonAnswer({ why: 'bad' }, { status: 422 });
        },
      },
    );
    expect(services.requests).toHaveLength(1);
    expect(new Set(outputs.map((output) => JSON.stringify(output))).size).toBe(1);
    expect(outputs[0]).toMatchObject({ got: { e: { status: 422, body: { why: 'bad' } } } });
  });
});

describe('a shared workflow with more than 10 MB', () => {
  const retry = 'retry: { attempts: 2, delay: 1ms }, share: run, onError: { value: { e: =error } }';
  const node = (row: string) =>
    `  - { id: sub, type: workflow, workflow: inner, row: { a: ${row} }, ${retry} }`;
  const long = '="x".repeat(1e7)';
  const cut = 'which rows cannot share; shorten it, or remove "share" (not retried)';

  it('of output fails once for all rows, and the message names the fix', async () => {
    const texts = [
      workflowOf('outer', node('1'), '{ got: =nodes.sub.e.message }'),
      workflowOf('inner', call.replace('row.domain', 'row.a'), `{ long: ${long} }`),
    ];
    const { outputs, services } = await run(texts, [{}, {}, {}]);
    const message = `workflow "inner": the output is longer than 10 MB, ${cut}`;
    expect(outputs).toEqual(Array(3).fill({ got: message }));
    expect(services.requests).toHaveLength(1);
    const alone = texts.map((text) => text.replace('share: run, ', ''));
    const { outcome } = await run(
      alone.map((text) => text.replace('nodes.sub.e.message', 'nodes.sub.long.length')),
      [{}],
    );
    expect(outcome).toEqual({ kind: 'completed' });
  });

  it('of row fails before it runs', async () => {
    const texts = [
      workflowOf('outer', node(long), '{ got: =nodes.sub.e.message }'),
      workflowOf('inner', '', '{ a: 1 }'),
    ];
    const { outputs } = await run(texts, [{}]);
    expect(outputs).toEqual([{ got: `workflow "inner": its row is longer than 10 MB, ${cut}` }]);
  });

  it('in the body of a failed call keeps the status, and says that the body is left out', async () => {
    const texts = [
      workflowOf(
        'outer',
        node('1'),
        '{ got: "=[nodes.sub.e.message, nodes.sub.e.status, nodes.sub.e.body]" }',
      ),
      workflowOf('inner', call.replace('row.domain', 'row.a'), '{ a: 1 }'),
    ];
    const { outputs } = await run(texts, [{}], {
      answer: () => jsonAnswer('x'.repeat(1e7), { status: 422 }),
    });
    const left = expect.stringMatching(/422.* \(its body is too long to share\) \(not retried\)$/) as unknown;
    expect(outputs).toEqual([{ got: [left, 422, null] }]);
  });
});

it('rows with their names in another order are equal', async () => {
  const names = workflowOf('inner', '', '{ names: "=Object.keys(row.of)", dice: =Math.random() }');
  const text = workflowOf(
    'outer',
    '  - { id: sub, type: workflow, workflow: inner, share: run, row: { of: =row } }',
    '{ got: =nodes.sub }',
  );
  const { outputs } = await run(
    [text, names],
    [
      { b: 1, a: 2 },
      { a: 2, b: 1 },
    ],
  );
  expect(outputs[0]).toEqual(outputs[1]);
  expect(outputs[0]).toMatchObject({ got: { names: ['a', 'b'] } });
});

it('items and nodes of one row share, and a shared workflow in a shared workflow', async () => {
  const middle = workflowOf(
    'middle',
    '  - { id: one, type: workflow, workflow: inner, share: run, row: { domain: =row.domain } }',
    '{ got: =nodes.one.got, level: =row.level }',
  );
  const text = workflowOf(
    'outer',
    `  - { id: list, type: workflow, workflow: middle, each: row.list, concurrency: 4, share: run, row: { domain: =item, level: "=index % 2" } }
  - { id: again, type: workflow, workflow: middle, share: run, row: { domain: "=row.list[0]", level: 0 } }`,
    '{ got: "=nodes.list.map((each) => each.got)", again: =nodes.again.got }',
  );
  const list = ['a', 'b', 'a', 'b', 'b', 'b'];
  const { outputs, services } = await run([text, middle, inner], [{ list }, { list }], {
    answer: (_, nth) => jsonAnswer(nth),
  });
  expect(services.requests).toHaveLength(2);
  expect(outputs[0]).toEqual(outputs[1]);
});

it('more rows than calls a worker may make wait for one row, and a virtual clock goes on meanwhile', async () => {
  const slow = workflowOf(
    'inner',
    `  - { id: pause, type: delay, for: 30m }\n${call.replace('type: http', 'type: http, after: pause')}`,
    '{ got: =nodes.ask.body }',
  );
  const { outcome, services } = await run([outer('share: run', 'concurrency: 600\n'), slow], rowsOf(600), {
    clock: new VirtualClock(0),
  });
  expect(outcome).toEqual({ kind: 'completed' });
  expect(services.requests).toHaveLength(3);
});

it('each row waits as long as its node allows, and the row that runs the workflow hands it on', async () => {
  const texts = [
    workflowOf(
      'outer',
      `  - { id: short, type: workflow, when: row.n === 1, workflow: inner, row: { domain: a }, share: run, timeout: 100ms, onError: { value: late } }
  - { id: long, type: workflow, when: row.n === 2, workflow: inner, row: { domain: a }, share: run }`,
      '{ got: "=nodes.short ?? nodes.long.got" }',
    ),
    inner,
  ];
  let first = true;
  const { outputs, services } = await run(texts, [{ n: 1 }, { n: 2 }, { n: 2 }], {
    answer: async (request, nth, { signal }) => {
      if (!first) return jsonAnswer(nth);
      first = false;
      return hanging(request, signal);
    },
  });
  expect(outputs).toEqual([{ got: 'late' }, { got: 2 }, { got: 2 }]);
  expect(services.requests).toHaveLength(2);
});

it('rows that wait for a service that hangs fail together, not one after the other', async () => {
  const { outputs, services } = await run(
    [outer('share: run, timeout: 200ms, onError: { value: { e: =error } }', 'concurrency: 16\n'), inner],
    Array(16).fill({ domain: 'a' }),
    { answer: (request, _, { signal }) => hanging(request, signal) },
  );
  expect(outputs[0]).toMatchObject({ got: { e: { message: 'timed out after 200 ms' } } });
  expect(new Set(outputs.map((output) => JSON.stringify(output))).size).toBe(1);
  const allowedMs = services.requests.reduce((sum, { timeoutMs = 30_000 }) => sum + timeoutMs, 0);
  expect(allowedMs).toBeLessThan(1000);
});

it('the next row runs the workflow if the first row fails meanwhile', async () => {
  const text = workflowOf(
    'outer',
    `  - { id: bad, type: http, when: row.n === 1, request: { url: "https://e.example/bad" } }
  - { id: sub, type: workflow, workflow: inner, row: { domain: ask }, share: run }`,
    '{ got: =nodes.sub.got }',
  );
  const begun = deferred();
  let asks = 0;
  const { outcome, outputs, services, sink } = await run(
    [`${text}onRowError: skip\nconcurrency: 4\n`, inner],
    [{ n: 1 }, { n: 2 }, { n: 3 }],
    {
      answer: async ({ url }, nth, { signal }) => {
        if (url.endsWith('/bad')) {
          await begun.promise;
          return jsonAnswer('no', { status: 404 });
        }
        begun.resolve();
        asks += 1;
        // Row 1 has failed when this call ends.
        if (asks === 1) await sleep(systemClock, 500, signal);
        return jsonAnswer(nth);
      },
    },
  );
  expect(outcome).toEqual({ kind: 'completed' });
  expect(sink.failures).toMatchObject([{ row: 1, nodeId: 'bad' }]);
  expect(outputs).toEqual([null, { got: 3 }, { got: 3 }]);
  expect(asks).toBe(2);
  expect(new Set(services.keys.filter((key) => key.includes('/share/'))).size).toBe(1);
});
