import { expect, it } from 'vitest';
import { deferred } from '../../../../../src-main/base/deferred.ts';
import type { RowLocation, RowView } from '../../../../../src-main/contract/index.ts';
import { RowNavigator } from '../../../../../src-renderer/state/run/matrix/row-navigator.ts';

const at = (row: number): RowLocation => ({ index: row, row, isThere: true });
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

it('the newest request wins, even if an older answer arrives later', async () => {
  const answers = new Map([1, 2].map((row) => [row, deferred<RowLocation>()]));
  const locate = (target: { row: number } | { position: number }) =>
    answers.get('row' in target ? target.row : 0)?.promise ?? Promise.resolve(null);
  const navigator = new RowNavigator({ locate, rowOf: async () => undefined, nodes });
  const [older, newer] = [navigator.locate({ row: 1 }), navigator.locate({ row: 2 })];
  answers.get(2)?.resolve(at(2));
  expect(await newer).toEqual({ kind: 'found', index: 1 });
  answers.get(1)?.reject(new Error('away'));
  expect(await older).toEqual({ kind: 'outdated' });
});

it('a move by the user cancels the request', async () => {
  const answer = deferred<RowLocation>();
  const navigator = new RowNavigator({ locate: () => answer.promise, rowOf: async () => failed(7), nodes });
  const next = navigator.findFailed(3, 1);
  navigator.cancel();
  answer.resolve(at(3));
  expect(await next).toBeUndefined();
});

it('a failed row is found with the node that failed', async () => {
  const requests: number[] = [];
  const navigator = new RowNavigator({
    locate: async () => ({ index: 2, row: 7, isThere: true }),
    rowOf: async (_only, index) => {
      requests.push(index);
      return failed(9);
    },
    nodes,
  });
  expect(await navigator.findFailed(7, 1)).toEqual({ row: 9, nodeId: 'score' });
  expect(requests).toEqual([3]);
});

it('a missing row differs from an error of the server', async () => {
  const answers = [Promise.resolve(null), Promise.reject(new Error('away'))];
  const locate = (): Promise<null> => answers.shift() ?? Promise.resolve(null);
  const navigator = new RowNavigator({ locate, rowOf: async () => undefined, nodes });
  expect(await navigator.locate({ row: 5 })).toEqual({ kind: 'missing' });
  await expect(navigator.locate({ row: 5 })).rejects.toThrow('away');
});
