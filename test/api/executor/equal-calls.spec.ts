// Nodes with `share: run`, run by row workers: the calls that are made, and what outputs and traces show of them.
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src-main/base/system-clock.ts';
import { parseWorkflow } from '../../../src-main/domain/workflow/parse-workflow.ts';
import { sharedNothingText } from '../../../src-main/domain/results/call-counts.ts';
import { upstreamOfRows } from '../../../src-main/services/runs/upstreams.ts';
import { runRows, testPool } from '../../builders/execution-rig.ts';
import { answered, jsonAnswer, scriptedUpstream } from '../../builders/scripted-upstream.ts';

const workflow = (keys: string, head = 'concurrency: 64'): string => `${head}
nodes:
  - { id: input, type: input }
  - { id: rate, type: http, request: { url: "https://fx.example/{{ row.currency }}" }, ${keys} }
  - { id: out, type: output, fields: { got: =nodes.rate.body } }`;

const currencies = ['eur', 'usd', 'gbp'];
const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, row) => ({ currency: currencies[row % 3] }));

type Answer = Parameters<typeof scriptedUpstream>[0];
type Scenario = Parameters<typeof upstreamOfRows>[1]['scenario'];

async function run(
  text: string,
  rows: readonly unknown[],
  answer: Answer,
  scenario: Scenario = {},
  pool = testPool(),
) {
  const inner = scriptedUpstream(answer);
  const about = { runId: 'test-run', scenario, seed: { random: 1, time: 0 }, clock: 'virtual' as const };
  const upstream = upstreamOfRows(inner, about, { clock: systemClock });
  const done = await runRows(text, { pool, rows, upstream, maxTraceBytes: 1e9, detail: 'full' });
  return { ...done, outputs: done.outputs, inner };
}

describe('rows with equal calls', () => {
  it.each([
    [1, 1],
    [64, 1],
    [1, 4],
    [64, 4],
  ])(
    'get one answer per call, %i of 1,000 in flight, by %i workers, as without sharing',
    async (concurrency, maxWorkers) => {
      const head = `concurrency: ${concurrency}`;
      const answer: Answer = ({ url }) => jsonAnswer(url.length);
      const rows = rowsOf(1000);
      const pool = testPool({ maxWorkers });
      const shared = await run(workflow('share: run', head), rows, answer, {}, pool);
      const alone = await run(workflow('timeout: 9s', head), rows, answer, {}, pool);
      expect(shared.inner.requests).toHaveLength(3);
      expect(alone.inner.requests).toHaveLength(1000);
      expect(shared.lines).toEqual(alone.lines);
      expect(shared.nodes.find(({ nodeId }) => nodeId === 'rate')?.calls).toEqual({
        answered: 3,
        played: 0,
        shared: 997,
      });
      expect(shared.traces.flatMap(({ calls }) => calls).filter(({ by }) => by === 'share')).toHaveLength(
        997,
      );
    },
  );

  it('make at most three calls per key while the service fails twice', async () => {
    const failed = new Map<string, number>();
    const { inner, outcome, failures } = await run(
      workflow('share: run, retry: { attempts: 3, delay: 1ms }'),
      rowsOf(60),
      ({ url }) => {
        const before = failed.get(url) ?? 0;
        failed.set(url, before + 1);
        return before < 2 ? jsonAnswer('busy', { status: 503 }) : jsonAnswer('yes');
      },
    );
    expect({ outcome, failures }).toEqual({ outcome: { kind: 'completed' }, failures: [] });
    expect(inner.requests.length).toBeLessThanOrEqual(9);
    expect(new Set(inner.keys).size).toBe(3);
  });

  it('make two calls per key if the first answer is invalid JSON', async () => {
    const answers = new Set<string>();
    const { inner, outcome } = await run(
      workflow('share: run, retry: { attempts: 3, delay: 1ms }'),
      rowsOf(60),
      ({ url }) => {
        const isFirst = !answers.has(url);
        answers.add(url);
        return isFirst ? answered('application/json', '{"rate":') : jsonAnswer('yes');
      },
    );
    expect(outcome).toEqual({ kind: 'completed' });
    expect(inner.requests).toHaveLength(6);
  });

  it('have faults of their own in a scenario', async () => {
    const { inner, failures } = await run(
      workflow('share: run, retry: { attempts: 1 }', 'onRowError: skip'),
      rowsOf(60),
      () => jsonAnswer('yes'),
      { 'upstream-5xx': 0.5 },
    );
    expect(inner.requests).toHaveLength(3);
    expect(failures.length).toBeGreaterThan(15);
    expect(failures.length).toBeLessThan(45);
  });
});

it('items of one row share, too', async () => {
  const text = `nodes:
  - { id: input, type: input }
  - { id: rate, type: http, each: row.list, concurrency: 4, share: run, request: { url: "https://fx.example/{{ item }}" } }
  - { id: out, type: output, fields: { got: "=nodes.rate.map((answer) => answer.body)" } }`;
  const { inner, outputs } = await run(text, [{ list: ['a', 'b', 'a', 'b'] }], (_, nth) => jsonAnswer(nth));
  expect(outputs).toEqual([{ got: [1, 2, 1, 2] }]);
  expect(inner.requests).toHaveLength(2);
});

it('tokens of a shared answer of a model count once, and each row has the same usage', async () => {
  const text = `nodes:
  - { id: input, type: input }
  - { id: ask, type: llm, share: run, baseUrl: "http://localhost:1/v1", model: m, messages: [{ role: user, content: hi }] }
  - { id: out, type: output, fields: { usage: =nodes.ask.usage } }`;
  const { inner, lines, nodes } = await run(text, Array(20).fill({}), () =>
    jsonAnswer({
      choices: [{ message: { role: 'assistant', content: 'a' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 },
    }),
  );
  expect(inner.requests).toHaveLength(1);
  expect(new Set(lines).size).toBe(1);
  expect(nodes.find(({ nodeId }) => nodeId === 'ask')?.tokens).toEqual({ prompt: 7, completion: 2 });
});

it('a run in which no call was shared says so', () => {
  const rate = { isShared: true, calls: { answered: 8, played: 0 } } as const;
  expect(sharedNothingText([rate, { calls: { answered: 1, played: 0, shared: 4 } }])).toContain(
    'No two calls',
  );
  expect(sharedNothingText([{ ...rate, calls: { answered: 3, played: 0, shared: 5 } }])).toBeUndefined();
  expect(sharedNothingText([{ calls: { answered: 8, played: 0 } }])).toBeUndefined();
});

it('"share" beside "repeat" is an error that names the way out', () => {
  const text = `rowbench: 1\nid: test\n${workflow('share: run, repeat: { while: previous.body.next }')}`;
  expect(parseWorkflow(text).issues).toMatchObject([
    {
      severity: 'error',
      message: expect.stringContaining('put "repeat" into a workflow of its own') as string,
    },
  ]);
});
