import { expect, it } from 'vitest';
import { LruMap } from '../../../src-main/base/lru-map.ts';

it('a full map evicts the entry that was used least recently', () => {
  const map = new LruMap<string, number>({ maxEntries: 2 });
  map.set('a', 1);
  map.set('b', 2);
  expect(map.get('a')).toBe(1);
  map.set('c', 3);
  expect(map.has('b')).toBe(false);
  expect([map.get('a'), map.get('c'), map.get('b')]).toEqual([1, 3, undefined]);
});

it('entries are evicted by size, but never the newest', () => {
  const map = new LruMap<string, string>({ maxEntries: 10, maxSize: 5, sizeOf: ({ length }) => length });
  map.set('a', 'xxx');
  map.set('b', 'xxx');
  expect([map.has('a'), map.has('b')]).toEqual([false, true]);
  map.set('b', 'x');
  map.set('c', 'xxxx');
  expect([map.has('b'), map.has('c')]).toEqual([true, true]);
  map.set('d', 'xxxxxxxxx');
  expect([map.has('b'), map.has('c'), map.has('d')]).toEqual([false, false, true]);
});
