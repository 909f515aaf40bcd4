import { expect, it } from 'vitest';
import { maxSelectedNumbers } from '../../../../../src-main/contract/index.ts';
import { SelectedRows } from '../../../../../src-renderer/state/run/rows/selected-rows.svelte.ts';

const view = { conditions: [{ of: 'text' as const, text: 'a' }] };

it('selected rows restrict the view by their numbers', () => {
  const selected = new SelectedRows();
  expect(selected.within(view)).toBe(view);
  selected.set([7, 3], true);
  selected.set([7], false);
  selected.set([9], true);
  expect([selected.count(100), selected.has(9), selected.has(7)]).toEqual([2, true, false]);
  expect(selected.within(view).conditions[1]).toEqual({ of: 'rows', numbers: [3, 9] });
});

it('all rows of a view are selected without a list, and single ones are unselected', () => {
  const selected = new SelectedRows();
  selected.selectAll();
  expect([selected.isAll, selected.count(100)]).toEqual([true, 100]);
  expect(selected.within(view)).toBe(view);
  selected.set([4], false);
  expect([selected.has(4), selected.has(5), selected.count(100)]).toEqual([false, true, 99]);
  expect(selected.within(view).conditions[1]).toEqual({ of: 'rows', numbers: [4], isExcluded: true });
  selected.clear();
  expect(selected.isEmpty).toBe(true);
});

it('no more rows are selected one by one than a condition may list', () => {
  const selected = new SelectedRows();
  const rows = Array.from({ length: maxSelectedNumbers + 1 }, (_, index) => index + 1);
  expect(selected.set(rows, true)).toBe(false);
  expect(selected.isEmpty).toBe(true);
});
