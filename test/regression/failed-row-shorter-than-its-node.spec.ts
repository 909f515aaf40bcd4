// A node that threw at once did not advance the runner's clock: its row was reported with a duration of zero. Where
// `onError` gave a value, the next node was charged with the time of the failed one.
import { expect, it } from 'vitest';
import { runRows, testPool } from '../builders/execution-rig.ts';

/** A million roots take longer on any machine. */
const minMicros = 200;

const busy = `
      let sum = 0;
      for (let n = 0; n < 1e6; n += 1) sum += Math.sqrt(n);
      if (sum > 0) throw new Error('no');`;

const flow = (more: string): string => `
onRowError: skip
nodes:
  - { id: input, type: input }
  - id: work
    type: code${more}
    code: |${busy}
  - { id: out, type: output, after: work, fields: { n: "=row.n" } }
`;

it('a failed row takes at least as long as its nodes', async () => {
  const { states, traces } = await runRows(flow(''), { pool: testPool(), rows: [{ n: 1 }] });
  const inNodes = traces[0]?.nodes.reduce((sum, { micros = 0 }) => sum + micros, 0);
  expect(inNodes).toBeGreaterThan(minMicros);
  // Each of the three was rounded by itself, by half a microsecond at most.
  expect(states[0]?.durationMicros).toBeGreaterThanOrEqual((inNodes ?? 0) - 2);
});

it('a node after a replaced one is not charged with its time', async () => {
  const rows = Array.from({ length: 5 }, (_, n) => ({ n }));
  const { states, traces } = await runRows(flow('\n    onError: { value: 0 }'), { pool: testPool(), rows });
  const works = traces.map(({ nodes }) => nodes[1]);
  const outs = traces.map(({ nodes }) => nodes[2]);
  expect([works[0]?.end, outs[0]?.end]).toEqual(['replaced', 'done']);
  const shortest = (nodes: typeof works): number => Math.min(...nodes.map((node) => node?.micros ?? 0));
  expect(shortest(works)).toBeGreaterThan(minMicros);
  // The shortest: a busy machine may hold up any node.
  expect(shortest(outs)).toBeLessThan(shortest(works));
  for (const { durationMicros } of states) expect(durationMicros).toBeGreaterThan(minMicros);
});
