// A node that threw at once did not advance the runner's clock: its row was reported with a duration of zero. Where
// `onError` gave a value, the next node was charged with the time of the failed one.
import { expect, it } from 'vitest';
import { runRows, testPool } from '../builders/execution-rig.ts';

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
  expect(inNodes).toBeGreaterThan(4_000);
  // Each of the three was rounded by itself, by half a microsecond at most.
  expect(states[0]?.durationMicros).toBeGreaterThanOrEqual((inNodes ?? 0) - 2);
});

it('a node after a replaced one is not charged with its time', async () => {
  const rows = [{ n: 1 }];
  const { states, traces } = await runRows(flow('\n    onError: { value: 0 }'), { pool: testPool(), rows });
  const [, work, out] = traces[0]?.nodes ?? [];
  expect([work?.end, out?.end]).toEqual(['replaced', 'done']);
  expect(work?.micros).toBeGreaterThan(4_000);
  expect(out?.micros).toBeLessThan(work?.micros ?? 0);
  expect(states[0]?.durationMicros).toBeGreaterThan(4_000);
});
