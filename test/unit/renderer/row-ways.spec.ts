import { expect, it } from 'vitest';
import { deferred } from '../../../src-main/base/deferred.ts';
import type { RowPlaceView, RowView } from '../../../src-main/contract/index.ts';
import { RowWays } from '../../../src-renderer/state/row-ways.ts';

const at = (row: number): RowPlaceView => ({ index: row, row, isThere: true });
const failed = (row: number): RowView => ({
  row,
  state: 'failed',
  retries: 0,
  ms: 1,
  nodes: [
    { end: 'done', attempts: 1 },
    { end: 'failed', attempts: 1 },
  ],
});
const nodes = [{ nodeId: 'input' }, { nodeId: 'score' }] as never;

it('leads to the row that was wanted last, though an older answer comes later', async () => {
  const answers = new Map([1, 2].map((row) => [row, deferred<RowPlaceView>()]));
  const place = (wanted: { row: number } | { position: number }) =>
    answers.get('row' in wanted ? wanted.row : 0)?.promise ?? Promise.resolve(null);
  const ways = new RowWays({ place, rowOf: async () => undefined, nodes });
  const [older, newer] = [ways.to({ row: 1 }), ways.to({ row: 2 })];
  answers.get(2)?.resolve(at(2));
  expect(await newer).toEqual({ kind: 'there', index: 1 });
  answers.get(1)?.reject(new Error('away'));
  expect(await older).toEqual({ kind: 'overtaken' });
});

it('leads nowhere once somebody has moved on their own', async () => {
  const answer = deferred<RowPlaceView>();
  const ways = new RowWays({ place: () => answer.promise, rowOf: async () => failed(7), nodes });
  const next = ways.toFailed(3, 1);
  ways.end();
  answer.resolve(at(3));
  expect(await next).toBeUndefined();
});

it('names the failed row and the node that it failed at', async () => {
  const asked: number[] = [];
  const ways = new RowWays({
    place: async () => ({ index: 2, row: 7, isThere: true }),
    rowOf: async (_only, index) => {
      asked.push(index);
      return failed(9);
    },
    nodes,
  });
  expect(await ways.toFailed(7, 1)).toEqual({ row: 9, nodeId: 'score' });
  expect(asked).toEqual([3]);
});

it('tells a row that is not there, and what the server has against it', async () => {
  const answers = [Promise.resolve(null), Promise.reject(new Error('away'))];
  const place = (): Promise<null> => answers.shift() ?? Promise.resolve(null);
  const ways = new RowWays({ place, rowOf: async () => undefined, nodes });
  expect(await ways.to({ row: 5 })).toEqual({ kind: 'missing' });
  await expect(ways.to({ row: 5 })).rejects.toThrow('away');
});
