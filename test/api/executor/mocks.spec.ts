import { describe, expect, it } from 'vitest';
import { planOf, testExecution, testPool } from '../../builders/execution-rig.ts';

async function run(nodes: string, mocks: Record<string, string>, rows: readonly object[] = [{}]) {
  const plan = planOf(`\nnodes:\n  - { id: input, type: input }\n${nodes}`, mocks);
  const { execution, sink } = testExecution(plan, { pool: testPool(), rows });
  return { outcome: await execution.run(), sink };
}

describe('a mocked node', () => {
  it('gives the answer and does not run its own code', async () => {
    const nodes = `
  - { id: x, type: code, code: "throw new Error('ran')", mock: { small: { size: 3 } } }
  - { id: y, type: delay, for: 24h, mock: { gone: 7 } }
  - { id: out, type: output, fields: { x: "=nodes.x.size", y: "=nodes.y" } }`;
    const { sink } = await run(nodes, { x: 'small', y: 'gone' });
    expect(sink.outputs).toEqual([{ x: 3, y: 7 }]);
  });

  it('is not there for a run that asks for no mocks', async () => {
    const nodes = `
  - { id: x, type: code, code: "return 'ran'", mock: { small: mocked } }
  - { id: out, type: output, fields: { x: "=nodes.x" } }`;
    expect((await run(nodes, {})).sink.outputs).toEqual([{ x: 'ran' }]);
    expect((await run(nodes, { x: 'small' })).sink.outputs).toEqual([{ x: 'mocked' }]);
  });

  it('still obeys when and each', async () => {
    const nodes = `
  - { id: x, type: code, when: "row.n > 1", code: "return 1", mock: { a: mocked } }
  - { id: y, type: code, each: "=row.list", code: "return item", mock: { a: mocked } }
  - { id: out, type: output, fields: { x: "=nodes.x ?? 'skipped'", y: "=nodes.y" } }`;
    const rows = [
      { n: 1, list: [] },
      { n: 2, list: [5, 6] },
    ];
    const { sink } = await run(nodes, { x: 'a', y: 'a' }, rows);
    expect(sink.outputs).toEqual([
      { x: 'skipped', y: [] },
      { x: 'mocked', y: ['mocked', 'mocked'] },
    ]);
  });

  it('fails with the text of its error, which retry and onError then meet', async () => {
    const nodes = `
  - { id: x, type: set, values: { a: 1 }, mock: { down: { error: HTTP 503 } } }
  - { id: out, type: output, fields: { x: "=nodes.x" } }`;
    expect((await run(nodes, { x: 'down' })).outcome).toEqual({
      kind: 'failed',
      error: 'Node "x" failed on row 1: HTTP 503',
    });
    const mended = nodes.replace(
      'mock:',
      'onError: { value: none }, retry: { attempts: 3, delay: 0s }, mock:',
    );
    const { sink } = await run(mended, { x: 'down' });
    expect(sink.outputs).toEqual([{ x: 'none' }]);
    expect(sink.states).toMatchObject([{ retries: 2 }]);
  });

  it('answers by attempt, the last answer for all further ones', async () => {
    const nodes = `
  - id: x
    type: set
    values: { a: 1 }
    retry: { attempts: 3, delay: 0s }
    mock: { flaky: { attempts: [{ error: first }, { error: second }, { value: third }] } }
  - { id: out, type: output, fields: { x: "=nodes.x" } }`;
    const { sink } = await run(nodes, { x: 'flaky' }, [{}, {}]);
    expect(sink.outputs).toEqual([{ x: 'third' }, { x: 'third' }]);
    expect(sink.states).toMatchObject([{ retries: 2 }, { retries: 2 }]);
  });

  it('can be an output node, whose missing fields are null', async () => {
    const nodes = `
  - { id: out, type: output, fields: { a: 1, b: 2 }, mock: { some: { a: "x", c: 3 } } }`;
    expect((await run(nodes, { out: 'some' })).sink.lines).toEqual(['{"a":"x","b":null}']);
  });

  it('gives a value that no other node can change', async () => {
    const nodes = `
  - { id: x, type: set, values: { a: 1 }, mock: { list: { items: [1] } } }
  - { id: y, type: code, code: "nodes.x.items.push(2); return 1" }
  - { id: out, type: output, fields: { y: "=nodes.y" } }`;
    const { outcome } = await run(nodes, { x: 'list' });
    expect(outcome).toMatchObject({
      kind: 'failed',
      error: expect.stringContaining('cannot be changed') as string,
    });
  });
});
