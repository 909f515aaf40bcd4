import { describe, expect, it } from 'vitest';
import { SheetModel } from '../../../../src-renderer/state/entry/grid/sheet-model.ts';
import { RanRows } from '../../../../src-renderer/state/entry/rows-to-run.ts';

const ran = [
  { name: 'Ada', tags: ['a', { b: 1 }], size: null },
  { name: 'Bo', size: 5 },
];
const numbers = [3, 7];

/** The numbers of the changed rows; 0 for a row that has not run. */
function changedIn(rows: readonly Readonly<Record<string, never>>[] | typeof ran, of = numbers): number[] {
  const sheet = new SheetModel();
  sheet.replace(rows, { numbers: of });
  const changed = new RanRows({ rows: ran, numbers }).changedIn(sheet.rows, sheet.columns);
  return [...changed].map(({ origin = 0 }) => origin);
}

describe('rows of a run', () => {
  it('are unchanged with the same values in another order', () => {
    expect(changedIn(ran)).toEqual([]);
    expect(changedIn(ran.toReversed(), [7, 3])).toEqual([]);
    expect(changedIn([{ size: null, tags: ['a', { b: 1 }], name: 'Ada' }], [3])).toEqual([]);
  });

  it.each([
    { name: 'Ada ', tags: ['a', { b: 1 }], size: null },
    { name: 'Ada', tags: ['a', { b: '1' }], size: null },
    { name: 'Ada', tags: ['a', { b: 1 }] },
    { name: 'Ada', tags: ['a', { b: 1 }], size: null, extra: 1 },
    { name: 'Ada', tags: ['a', { b: 1 }], size: 0 },
  ])('are changed by a value that differs, is gone or is new: %j', (row) => {
    expect(changedIn([row as (typeof ran)[number]], [3])).toEqual([3]);
  });

  it('are changed if they have not run', () => {
    expect(changedIn([...ran, { name: 'Cy', size: 1 }], numbers)).toEqual([0]);
  });
});
