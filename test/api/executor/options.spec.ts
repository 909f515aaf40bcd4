import { describe, expect, it } from 'vitest';
import { runRows, testPool } from '../../builders/execution-rig.ts';

const run = async (nodes: string, rows: readonly object[] = [{}], more = '') =>
  runRows(`${more}\nnodes:\n  - { id: input, type: input }\n${nodes}`, { pool: testPool(), rows });

describe('when', () => {
  it('a node whose condition does not hold is skipped and has no value', async () => {
    const done = await run(
      `
  - { id: hot, type: set, when: "row.n > 1", values: { label: hot } }
  - { id: out, type: output, fields: { label: "=nodes.hot?.label ?? 'cold'" } }`,
      [{ n: 1 }, { n: 2 }],
    );
    expect(done.outputs).toEqual([{ label: 'cold' }, { label: 'hot' }]);
  });

  it('the fields of a skipped output node are null', async () => {
    const done = await run(`
  - { id: a, type: output, fields: { one: 1 } }
  - { id: b, type: output, when: "false", fields: { two: 2 } }`);
    expect(done.lines).toEqual(['{"one":1,"two":null}']);
  });
});

describe('each', () => {
  it('runs once an item and gives the list of values', async () => {
    const done = await run(
      `
  - { id: lines, type: set, each: "=row.items", values: { text: "{{ index }}: {{ item.name }}" } }
  - { id: out, type: output, fields: { lines: "=nodes.lines.map((line) => line.text)" } }`,
      [{ items: [{ name: 'a' }, { name: 'b' }] }, { items: [] }],
    );
    expect(done.outputs).toEqual([{ lines: ['0: a', '1: b'] }, { lines: [] }]);
  });

  it('fails on what is not a list', async () => {
    const done = await run(
      `
  - { id: x, type: code, each: "=row.items", code: "return item;" }
  - { id: out, type: output, fields: { x: "=nodes.x" } }`,
      [{ items: 'abc' }],
    );
    expect(done.outcome).toEqual({
      kind: 'failed',
      error: 'Node "x" failed on row 1: "each" gives a string, not a list',
    });
  });

  it('waits for each item in turn', async () => {
    const done = await run(`
  - { id: x, type: delay, each: "=[1, 2, 3]", for: "=item" }
  - { id: y, type: code, each: "=[1, 2, 3]", code: "await null; return item * 2;" }
  - { id: out, type: output, fields: { x: "=nodes.x", y: "=nodes.y" } }`);
    expect(done.outputs).toEqual([{ x: [null, null, null], y: [2, 4, 6] }]);
  });
});

describe('an item that fails', () => {
  const of = (more: string): string => `
  - { id: x, type: code, each: "=[1, 2, 3]", code: "if (item !== 1) throw new Error('no ' + item); return item;", ${more} }
  - { id: out, type: output, fields: { x: "=nodes.x" } }`;

  it('is named in the error, with its own attempts', async () => {
    const done = await run(of('retry: { attempts: 2, delay: 1ms }'));
    expect(done.failures).toEqual([
      { row: 1, nodeId: 'x', message: 'item 2 of 3: Error: no 2', attempts: 2 },
    ]);
  });

  it('gets the value of onError alone, which sees the item and the error', async () => {
    const done = await run(of('onError: { value: "={ index, item, why: error.message }" }'));
    const replaced = [1, 2].map((index) => ({ index, item: index + 1, why: `Error: no ${index + 1}` }));
    expect(done.outputs).toEqual([{ x: [1, ...replaced] }]);
    expect(done.traces[0]?.nodes[1]).toMatchObject({
      end: 'replaced',
      items: 3,
      replacedItems: 2,
      attempts: 3,
    });
    expect(done.traces[0]?.replaced).toEqual([
      { nodeIndex: 1, message: 'Error: no 2', item: 1 },
      { nodeIndex: 1, message: 'Error: no 3', item: 2 },
    ]);
    expect(done.nodes.find(({ nodeId }) => nodeId === 'x')).toMatchObject({ replaced: 1, done: 0 });
  });

  it.each([
    ['code', 'type: code, code: "await null; if (item === 2) throw 5; return item;"'],
    ['a promise', 'type: code, code: "return item === 2 ? Promise.reject(5) : Promise.resolve(item);"'],
    ['a retry', 'type: fail, message: no, retry: { attempts: 2, delay: 1ms }'],
  ])('is replaced after %s that waits', async (_, node) => {
    const done = await run(`
  - { id: x, each: "=[1, 2]", ${node}, onError: { value: "=-item" } }
  - { id: out, type: output, fields: { x: "=nodes.x" } }`);
    expect(done.outputs).toEqual([{ x: node.includes('fail') ? [-1, -2] : [1, -2] }]);
  });

  it('whose onError fails too fails the row with both causes', async () => {
    const done = await run(of('onError: { value: "=row.none.x" }'));
    expect(done.failures[0]?.message).toBe(
      "item 2 of 3: Error: no 2; then onError: TypeError: Cannot read properties of undefined (reading 'x')",
    );
  });

  it('does not stand for a list that is none, whose value onError replaces as a whole', async () => {
    const done = await run(`
  - { id: x, type: set, each: "=row.none", values: { a: "=item" }, onError: { value: "=[error.message]" } }
  - { id: out, type: output, fields: { x: "=nodes.x" } }`);
    expect(done.outputs).toEqual([{ x: ['"each" gives undefined, not a list'] }]);
  });
});

describe('retry', () => {
  it('goes on once an attempt succeeds', async () => {
    const done = await run(`
  - { id: x, type: fail, message: no, attempts: 2, retry: { attempts: 4, delay: 1ms } }
  - { id: out, type: output, fields: { ok: true } }`);
    expect(done.outputs).toEqual([{ ok: true }]);
    expect(done.states).toMatchObject([{ state: 'done', retries: 2 }]);
  });

  it('fails after its last attempt, which counts them all', async () => {
    const done = await run(`
  - { id: x, type: fail, message: no, retry: { attempts: 3, delay: 1ms } }
  - { id: out, type: output, fields: { ok: true } }`);
    expect(done.failures).toEqual([{ row: 1, nodeId: 'x', message: 'no', attempts: 3 }]);
  });
});

describe('timeout', () => {
  it.each([
    ['a delay', '{ id: x, type: delay, for: 1h, timeout: 30ms }'],
    [
      'code that computes',
      '{ id: x, type: code, timeout: 30ms, code: "let n = 0; for (let i = 0; i < 3e8; i += 1) n += i % 7; return n;" }',
    ],
    [
      'a promise that never settles',
      '{ id: x, type: code, timeout: 30ms, code: "await new Promise(() => {});" }',
    ],
  ])('ends %s', async (_, node) => {
    const done = await run(`
  - ${node}
  - { id: out, type: output, fields: { ok: true } }`);
    expect(done.outcome).toEqual({
      kind: 'failed',
      error: 'Node "x" failed on row 1: timed out after 30 ms',
    });
  });
});

describe('onError', () => {
  it('gives its value in place of a failed node, after the retries', async () => {
    const done = await run(
      `
  - { id: x, type: fail, message: no, rows: [2], retry: { attempts: 2, delay: 1ms }, onError: { value: { was: "={ n: row.n }" } } }
  - { id: out, type: output, fields: { x: "=nodes.x" } }`,
      [{ n: 1 }, { n: 2 }],
    );
    expect(done.outputs).toEqual([{ x: null }, { x: { was: { n: 2 } } }]);
    expect(done.states).toMatchObject([{ retries: 0 }, { state: 'done', retries: 1 }]);
  });

  it('that fails itself fails the row with both causes', async () => {
    const done = await run(`
  - { id: x, type: fail, message: no, onError: { value: "=row.none.x" } }
  - { id: out, type: output, fields: { x: "=nodes.x" } }`);
    expect(done.failures[0]?.message).toBe(
      "no; then onError: TypeError: Cannot read properties of undefined (reading 'x')",
    );
  });

  it('of an output node gives its fields', async () => {
    const done = await run(`
  - { id: out, type: output, fields: { x: "=row.none.x", y: 2 }, onError: { value: { y: unknown } } }`);
    expect(done.outputs).toEqual([{ x: null, y: 'unknown' }]);
  });
});

describe('onRowError', () => {
  const nodes = `
  - { id: x, type: fail, message: no, rows: [3, 5] }
  - { id: out, type: output, fields: { n: "=row.n" } }`;
  const rows = [1, 2, 3, 4, 5, 6].map((n) => ({ n }));

  it('fail: rows before the failed one are committed, the failed one is the last', async () => {
    const done = await run(nodes, rows);
    expect(done.outcome).toEqual({ kind: 'failed', error: 'Node "x" failed on row 3: no' });
    expect(done.outputs).toEqual([{ n: 1 }, { n: 2 }, null]);
    expect(done.states.map(({ state }) => state)).toEqual(['done', 'done', 'failed']);
  });

  it('skip: the other rows have their outputs and the run completes', async () => {
    const done = await run(nodes, rows, 'onRowError: skip');
    expect(done.outcome).toEqual({ kind: 'completed' });
    expect(done.outputs).toEqual([{ n: 1 }, { n: 2 }, null, { n: 4 }, null, { n: 6 }]);
    expect(done.failures.map(({ row }) => row)).toEqual([3, 5]);
  });

  it('fail: the first failed row in row order decides, however late it fails', async () => {
    const done = await run(
      `
  - { id: slow, type: delay, for: "=row.ms" }
  - { id: x, type: fail, message: "row {{ row.n }}" }
  - { id: out, type: output, fields: { n: "=row.n" } }`,
      [
        { n: 1, ms: 60 },
        { n: 2, ms: 5 },
        { n: 3, ms: 1 },
      ],
    );
    expect(done.outcome).toEqual({ kind: 'failed', error: 'Node "x" failed on row 1: row 1' });
    expect(done.lines).toEqual(['']);
  });
});
