import { expect, it } from 'vitest';
import { runRows, testPool } from '../../builders/execution-rig.ts';
import { computingMs } from '../../builders/cpu-ratio.ts';

/** Few enough for a row to end before the machine turns to something else. */
const rounds = 500_000;

function hash(start: number): number {
  let mixed = start;
  for (let i = 0; i < rounds; i += 1) mixed = Math.imul(mixed ^ i, 2654435761) ^ (mixed >>> 13);
  return mixed >>> 0;
}

it('code that reads a builtin in a hot loop runs about as fast as outside the sandbox', async () => {
  const rows = Array.from({ length: 48 }, (_, n) => ({ n }));
  const expected: { readonly value: number }[] = [];
  const work = (): void => rows.forEach(({ n }) => expected.push({ value: hash(n) }));
  const outsideMs = computingMs(work) / rows.length;

  const done = await runRows(
    `
nodes:
  - { id: input, type: input }
  - id: x
    type: code
    code: |
      let mixed = row.n;
      for (let i = 0; i < ${rounds}; i += 1) mixed = Math.imul(mixed ^ i, 2654435761) ^ (mixed >>> 13);
      return mixed >>> 0;
  - { id: out, type: output, fields: { value: "=nodes.x" } }`,
    { pool: testPool({}), rows },
  );
  expect(done.outputs).toEqual(expected);
  const fastestMs = Math.min(...done.states.map(({ durationMicros }) => durationMicros / 1000));
  // Read through the compartment's global proxy the loop would take a hundred times as long.
  expect(fastestMs).toBeLessThan(outsideMs * 8);
});
