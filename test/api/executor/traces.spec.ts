import { describe, expect, it } from 'vitest';
import { quantile } from '../../../src-main/domain/results/node-statistics.ts';
import { maxLogBytes, maxTraceBytes, maxValueBytes } from '../../../src-main/domain/results/trace-form.ts';
import { runRows, testPool } from '../../builders/execution-rig.ts';

const withCode = (code: string): string => `
onRowError: skip
nodes:
  - { id: input, type: input }
  - id: work
    type: code
    code: |
      ${code}
  - { id: out, type: output, fields: { n: "=row.n", work: "=nodes.work" } }
`;

const numbered = (count: number): { n: number }[] =>
  Array.from({ length: count }, (_, index) => ({ n: index + 1 }));

describe('the trace of a row', () => {
  const flow = `
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: double, type: set, each: "=row.list", values: { twice: "=item * 2" } }
  - { id: hot, type: set, when: "row.n > 1", values: { label: hot } }
  - { id: shaky, type: fail, message: not today, rows: [1, 2], attempts: 1, retry: { attempts: 3 } }
  - { id: mended, type: assert, that: "row.n === 0", message: never, onError: { value: mended } }
  - { id: strict, type: assert, that: "row.n < 2", message: too many, after: [shaky, mended] }
  - { id: out, type: output, after: strict, fields: { n: "=row.n", label: "=nodes.hot?.label" } }
`;

  it('says how each node ended, after how many attempts and items, and what it gave', async () => {
    const rows = [
      { n: 1, list: [1, 2, 3] },
      { n: 2, list: [] },
    ];
    const { traces, outcome } = await runRows(flow, { pool: testPool(), rows });
    expect(outcome).toEqual({ kind: 'completed' });
    const [first, second] = traces;
    const nodeEndsOf = (trace: typeof first) =>
      trace?.nodes.map(({ end, attempts, items }) => ({
        end,
        attempts,
        ...(items === undefined ? {} : { items }),
      }));
    expect(nodeEndsOf(first)).toEqual([
      { end: 'done', attempts: 1 },
      { end: 'done', attempts: 3, items: 3 },
      { end: 'skipped', attempts: 0 },
      { end: 'done', attempts: 2 },
      { end: 'replaced', attempts: 1 },
      { end: 'done', attempts: 1 },
      { end: 'done', attempts: 1 },
    ]);
    expect(first?.failure).toBeUndefined();
    expect([...(first?.values ?? [])]).toEqual([
      [0, { kind: 'whole', value: { n: 1, list: [1, 2, 3] } }],
      [1, { kind: 'whole', value: [{ twice: 2 }, { twice: 4 }, { twice: 6 }] }],
      [3, { kind: 'whole', value: null }],
      [4, { kind: 'whole', value: 'mended' }],
      [5, { kind: 'whole', value: true }],
      [6, { kind: 'whole', value: { n: 1, label: null } }],
    ]);
    expect(nodeEndsOf(second)?.slice(1)).toEqual([
      { end: 'done', attempts: 0, items: 0 },
      { end: 'done', attempts: 1 },
      { end: 'done', attempts: 2 },
      { end: 'replaced', attempts: 1 },
      { end: 'failed', attempts: 1 },
      { end: 'not reached', attempts: 0 },
    ]);
    expect(second?.failure).toEqual({ row: 2, nodeId: 'strict', message: 'too many', attempts: 1 });
  });

  it('has what its code logged, and nothing of other rows', async () => {
    const code =
      'console.log("row", row.n, { n: row.n }); console.warn(await Promise.resolve([row.n])); return 1;';
    const { traces } = await runRows(withCode(code), { pool: testPool(), rows: numbered(20) });
    expect(traces.map(({ logs }) => logs)).toEqual(
      numbered(20).map(({ n }) => [
        [1, 'log', `row ${n} {"n":${n}}`],
        [1, 'warn', `[${n}]`],
      ]),
    );
  });

  it('holds a part of 100 MB that code logs, and says so', async () => {
    const code = 'for (let line = 0; line < 1600; line += 1) console.log("x".repeat(65536)); return 1;';
    const { traces, outputs } = await runRows(withCode(code), { pool: testPool(), rows: numbered(2) });
    expect(outputs).toEqual(numbered(2).map(({ n }) => ({ n, work: 1 })));
    for (const { logs, logsCut } of traces) {
      expect(logsCut).toBe(true);
      expect(JSON.stringify(logs).length).toBeGreaterThan(maxLogBytes / 2);
      expect(JSON.stringify(logs).length).toBeLessThan(maxLogBytes + 1000);
    }
  });

  it.each([
    ['a getter that throws', '{ get a() { throw new Error("no"); } }'],
    ['a list of a billion entries', 'new Array(4e9)'],
    ['an object in itself', '(() => { const a = {}; a.a = a; return a; })()'],
    [
      'objects without end',
      '(() => { const make = () => ({ get a() { return make(); } }); return make(); })()',
    ],
    ['a toJSON that throws', '{ toJSON() { throw 1; } }'],
    ['a toString that throws', 'Object.assign(() => 1, { toString() { throw 1; } })'],
    [
      'an error with a hostile message',
      'Object.defineProperty(new Error(), "message", { get() { throw 1; } })',
    ],
    ['a map with a hostile size', 'Object.defineProperty(new Map(), "size", { get() { throw 1; } })'],
    ['a date that is none', 'new Date(NaN)'],
    ['a large BigInt', '2n ** 1000000n'],
    ['a symbol', 'Symbol("s")'],
  ])('stands %s that code logs', async (_, value) => {
    const code = `if (row.n === 2) console.log(${value}, 'after'); return row.n;`;
    const { traces, outputs } = await runRows(withCode(code), { pool: testPool(), rows: numbered(3) });
    expect(outputs).toEqual(numbered(3).map(({ n }) => ({ n, work: n })));
    expect(traces[1]?.logs[0]?.[2]).toMatch(/ after$/);
  });

  it('keeps the beginning of a value that is too large', async () => {
    const code = 'return { small: 1, text: "é".repeat(50000) };';
    const { traces } = await runRows(withCode(code), { pool: testPool(), rows: numbered(1) });
    const value = traces[0]?.values.get(1);
    expect(value?.kind === 'cut' && value.text.startsWith('{"small":1,"text":"ééé')).toBe(true);
    expect(Buffer.byteLength(value?.kind === 'cut' ? value.text : '')).toBeLessThanOrEqual(maxValueBytes);
    expect(traces[0]?.values.get(0)).toEqual({ kind: 'whole', value: { n: 1 } });
  });
});

describe('rows that reuse the trace of a row that has ended', () => {
  /** Row 1 waits while the rows behind it end, each in another way. */
  const waitsFirst = `
onRowError: fail
nodes:
  - { id: input, type: input }
  - { id: pause, type: delay, for: 30ms, when: "row.n === 1" }
  - { id: first, type: assert, that: "row.n > 1 || !row.fails", message: "no", after: [pause] }
  - { id: odd, type: set, when: "row.n % 2 === 1", values: { n: "=row.n" }, after: [first] }
  - { id: items, type: set, each: "=row.list", values: { n: "=item" }, after: [odd] }
  - { id: out, type: output, fields: { n: "=row.n" }, after: [items] }
`;
  const inOneBatch = () => ({ pool: testPool(), firstBatchRows: 8 });
  const rows = (first: object) =>
    numbered(8).map(({ n }) => ({ n, list: Array<number>(n).fill(n), ...(n === 1 ? first : {}) }));
  const countsOf = (nodes: Awaited<ReturnType<typeof runRows>>['nodes']) =>
    nodes.map(({ nodeId, done, failed, skipped }) => [nodeId, done, failed, skipped]);

  it('leave the counts of rows that a row before them may still drop', async () => {
    const { nodes, traces } = await runRows(waitsFirst, { ...inOneBatch(), rows: rows({}) });
    expect(countsOf(nodes)).toEqual([
      ['input', 8, 0, 0],
      ['pause', 1, 0, 7],
      ['first', 8, 0, 0],
      ['odd', 4, 0, 4],
      ['items', 8, 0, 0],
      ['out', 8, 0, 0],
    ]);
    expect(traces.map((trace) => trace.nodes[4]?.items)).toEqual(numbered(8).map(({ n }) => n));
  });

  it('are not counted if a row before them fails the run', async () => {
    const { nodes, outcome } = await runRows(waitsFirst, { ...inOneBatch(), rows: rows({ fails: true }) });
    expect(outcome).toMatchObject({ kind: 'failed' });
    expect(countsOf(nodes)).toEqual([
      ['input', 1, 0, 0],
      ['pause', 1, 0, 0],
      ['first', 0, 1, 0],
    ]);
  });

  it('have nothing that code of a row before them logs late', async () => {
    const code = 'if (row.n === 1) Promise.resolve().then(() => console.log("late")); return row.n;';
    const { traces } = await runRows(withCode(code), { pool: testPool(), rows: numbered(50) });
    expect(traces.filter(({ logs }) => logs.length > 0).map(({ row }) => row)).toEqual([1]);
  });
});

describe('of many rows', () => {
  it('200 keep values and 10,000 how their nodes ended; failed ones keep all', async () => {
    const code = 'if (row.n === 5 || row.n === 300 || row.n === 11000) throw new Error("no"); return row.n;';
    const { traces, nodes } = await runRows(withCode(code), { pool: testPool(), rows: numbered(11_500) });
    const withValues = traces.filter(({ values }) => values.size > 0).map(({ row }) => row);
    expect(withValues).toEqual([...numbered(200).map(({ n }) => n), 300, 11_000]);
    const first = traces.filter(({ row }) => row <= 10_000);
    expect(first.map(({ row }) => row)).toEqual(numbered(10_000).map(({ n }) => n));
    expect(traces.filter(({ failure }) => failure !== undefined).map(({ row }) => row)).toEqual([
      5, 300, 11_000,
    ]);
    expect(nodes.map(({ nodeId, done, failed }) => [nodeId, done, failed])).toEqual([
      ['input', 11_500, 0],
      ['work', 11_497, 3],
      ['out', 11_497, 0],
    ]);
    for (const node of nodes) {
      const timed = node.buckets.filter((_, at) => at % 2 === 1).reduce((sum, rows) => sum + rows, 0);
      expect(timed).toBe(node.done + node.failed);
      expect(quantile(node, 0.5)).toBeLessThanOrEqual(quantile(node, 0.99) ?? 0);
    }
  });

  it('nothing but failures is kept once there is too much', async () => {
    const code = 'console.log("x"); if (row.n === 2) throw new Error("no"); return 1;';
    const run = { pool: testPool(), rows: numbered(3), traceBytes: maxTraceBytes + 1 };
    const { traces, failures, nodes } = await runRows(withCode(code), run);
    expect(traces).toEqual([]);
    expect(failures).toEqual([{ row: 2, nodeId: 'work', message: 'Error: no', attempts: 1 }]);
    expect(nodes[1]).toMatchObject({ nodeId: 'work', done: 2, failed: 1 });
  });

  it('a row that its worker did not survive is counted as failed in its node', async () => {
    const pool = testPool({ timeLimitMs: 200, graceMs: 100 });
    const { nodes } = await runRows(withCode('if (row.n === 2) for (;;); return 1;'), {
      pool,
      rows: numbered(3),
    });
    expect(nodes[1]).toMatchObject({ nodeId: 'work', done: 2, failed: 1 });
  });
});
