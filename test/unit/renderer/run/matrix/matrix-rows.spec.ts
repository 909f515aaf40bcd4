import { expect, it } from 'vitest';
import { deferred } from '../../../../../src-main/base/deferred.ts';
import type { Call, RowView, RunMinimapView } from '../../../../../src-main/contract/index.ts';
import { MatrixRows } from '../../../../../src-renderer/state/run/matrix/matrix.svelte.ts';
import { runView } from '../../../../builders/run-view.ts';

const minimap: RunMinimapView = {
  rows: 1_000,
  counts: { failed: 3, slow: 50, skipped: 0, retried: 0, unfinished: 0 },
  slowMs: 20,
  rowsPerPiece: 1,
  pieces: [],
};
const row = (number: number): RowView => ({ row: number, state: 'done', retries: 0, ms: 1 });

type Slice = { readonly from: number; readonly count: number; readonly only?: string };

/** A run of 1,000 rows; `rows` answers for slices of them, where it wants to. */
function matrix(rows: (slice: Slice) => Promise<unknown> | undefined = () => undefined) {
  const requests: Slice[] = [];
  const answers: Record<string, (input: never) => unknown> = {
    'run.minimap': () => minimap,
    'run.nodes': () => ({ nodes: [{ nodeId: 'input' }], rows: 1_000 }),
    'run.rows': (slice: Slice) => {
      requests.push(slice);
      const all = Array.from({ length: slice.count }, (_, at) => row(slice.from + at));
      return rows(slice) ?? { rows: all, total: slice.only === undefined ? 1_000 : 3 };
    },
  };
  const call = (async (name: string, input: never) => answers[name]?.(input)) as Call;
  return { requests, matrix: new MatrixRows(call, 'r1') };
}

it('a matrix fetches the rows in sight and no others', async () => {
  const { requests, matrix: shown } = matrix();
  shown.show(250, 280);
  shown.follow(runView({ rows: 1_000, rowsDone: 1_000 }));
  await expect.poll(() => shown.row(250)?.row).toBe(251);
  expect(requests).toEqual([expect.objectContaining({ from: 201, count: 100 })]);
  expect(shown.row(400)).toBeUndefined();
  shown.close();
});

it('a late count of another list does not change the list that is shown', async () => {
  const slow = deferred<unknown>();
  const { requests, matrix: shown } = matrix((slice) =>
    slice.only === 'slow' && slice.count === 1 ? slow.promise : undefined,
  );
  shown.choose('slow');
  shown.follow(runView({ rows: 1_000, rowsDone: 1_000 }));
  await expect.poll(() => requests.some(({ count }) => count === 1)).toBe(true);
  shown.choose('failed');
  expect(shown.ended).toBe(3);
  slow.resolve({ rows: [], total: 50 });
  await new Promise(setImmediate);
  expect(shown.ended).toBe(3);
  shown.close();
});

it('a failed fetch is a problem until rows arrive', async () => {
  let isAway = true;
  const { matrix: shown } = matrix(() => (isAway ? Promise.reject(new Error('away')) : undefined));
  shown.show(0, 30);
  shown.follow(runView({ rows: 1_000, rowsDone: 1_000 }));
  await expect.poll(() => shown.problem).toEqual(new Error('away'));
  isAway = false;
  shown.follow(runView({ rows: 1_000, rowsDone: 1_000 }));
  await expect.poll(() => shown.row(0)?.row).toBe(1);
  expect(shown.problem).toBeUndefined();
  shown.close();
});
