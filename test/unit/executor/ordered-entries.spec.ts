import { expect, it } from 'vitest';
import { OrderedEntries } from '../../../src-main/executor/worker/trace-buffer.ts';

it('entries are in order of their positions, and those of one position as they were added', () => {
  const entries = new OrderedEntries<string>();
  entries.add([1, 10, 1], 'd');
  entries.add([0], 'a');
  entries.add([1, 2, 1], 'b');
  entries.add([1, 2, 1], 'c');
  entries.add([1, 2], 'before b');
  expect(entries.values).toEqual(['a', 'before b', 'b', 'c', 'd']);
});

it('the first entries are retained, whatever the order in which they are added', () => {
  const entries = new OrderedEntries<number>(2);
  for (const each of [3, 1, 4, 2]) entries.add([each], each);
  expect(entries.values).toEqual([1, 2]);
});
