import { describe, expect, it } from 'vitest';
import { readReusedValues } from '../../../../src-main/executor/worker/row-run.ts';
import { withReusedValues } from '../../../../src-main/services/runs/reused-values.ts';
import { planOf } from '../../../builders/execution-rig.ts';

const plan = planOf(`nodes:
  - { id: input, type: input }
  - { id: a, type: set, values: { x: "=row.n" } }
  - { id: b, type: set, when: "=nodes.a.x > 1", values: { x: "=nodes.a.x" } }
  - { id: c, type: set, after: [b], values: { x: 1 } }
  - { id: result, type: output, fields: { c: "=nodes.c.x" } }
`);

async function* each<T>(all: readonly T[]): AsyncGenerator<T> {
  yield* all;
}

/** Values reused for each row of those numbers, as pairs of node id and value; undefined for a row without any. */
async function valuesFor(numbers: readonly number[], lines: readonly string[]): Promise<unknown[]> {
  const rows = { firstRow: 1, numbers, bytes: Buffer.from('{}\n'.repeat(numbers.length)) };
  const traces = lines.map((line) => ({ row: Number(/\d+/.exec(line)?.[0]), line }));
  const reuse = { before: plan, now: plan, nodeIds: ['a', 'b'] };
  for await (const piece of withReusedValues(each([rows]), each(traces), reuse))
    return readReusedValues(piece.reused ?? new Uint8Array())
      .slice(0, -1)
      .map((values) => values && [...values]);
  return [];
}

describe('values kept of a run', () => {
  it('are given to the rows of the same numbers', async () => {
    const lines = [1, 3, 4].map(
      (row) => `{"row":${row},"nodes":[1,1,1,1,1],"values":[[1,{"x":${row}}],[2,2]]}`,
    );
    expect(await valuesFor([2, 3, 9], lines)).toEqual([
      undefined,
      [
        ['a', { x: 3 }],
        ['b', 2],
      ],
      undefined,
    ]);
  });

  it('tell of a node that was skipped', async () => {
    const line = '{"row":1,"nodes":[1,1,[2,0,0],1,1],"values":[[1,{"x":1}]]}';
    expect(await valuesFor([1], [line])).toEqual([
      [
        ['a', { x: 1 }],
        ['b', undefined],
      ],
    ]);
  });

  it('keep own keys such as __proto__', async () => {
    const line = '{"row":1,"nodes":[1,1,1,1,1],"values":[[1,{"__proto__":{"y":1}}],[2,2]]}';
    const [pairs] = (await valuesFor([1], [line])) as [[string, object][]];
    expect(JSON.stringify(pairs[0]?.[1])).toBe('{"__proto__":{"y":1}}');
  });

  it.each([
    ['were not kept', '{"row":1,"nodes":[1,1,1,1,1]}'],
    ['were too large', '{"row":1,"nodes":[1,1,1,1,1],"values":[[2,2]],"cut":[[1,"{\\"x\\":"]]}'],
    ['had no room left', '{"row":1,"nodes":[1,1,1,1,1],"values":[[2,2]],"leftOut":[1]}'],
    ['are of a node that failed', '{"row":1,"nodes":[1,[1,3,1],[4,0,0],[4,0,0],[4,0,0]],"values":[[0,{}]]}'],
    ['are damaged', '{"row":1,"nodes":[1,"no"],"values":[[2,2]]}'],
  ])('give nothing where they %s, nor what was made of them', async (_, line) => {
    expect(await valuesFor([1], [line])).toEqual([undefined]);
  });

  it('give what comes before a node that failed', async () => {
    const line =
      '{"row":1,"nodeId":"b","message":"m","attempts":1,"nodes":[1,1,[1,3,1],[4,0,0],[4,0,0]],"values":[[1,{"x":1}]]}';
    expect(await valuesFor([1], [line])).toEqual([[['a', { x: 1 }]]]);
  });
});
