import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FilteredSheet } from '../../../../../src-renderer/state/entry/grid/filtered-sheet.ts';
import * as rowEdits from '../../../../../src-renderer/state/entry/grid/row-edits.ts';
import { SheetModel } from '../../../../../src-renderer/state/entry/grid/sheet-model.ts';

const isOdd = ({ origin }: { readonly origin?: number | undefined }): boolean =>
  origin === undefined || origin % 2 === 1;

function oddRows(count = 6): { readonly sheet: SheetModel; readonly odd: FilteredSheet } {
  const sheet = new SheetModel();
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  sheet.replace(
    numbers.map((n) => ({ n })),
    { numbers },
  );
  return { sheet, odd: new FilteredSheet(sheet, isOdd) };
}

const values = (sheet: SheetModel): unknown[] => sheet.toRows().map((row) => row['n']);
const range = (top: number, bottom = top) => ({ top, bottom, left: 0, right: 0 });

describe('a filtered sheet', () => {
  it('shows some rows under their numbers', () => {
    const { odd } = oddRows();
    expect(odd.rowCount).toBe(3);
    expect([0, 1, 2].map((row) => odd.numberOf(row))).toEqual([1, 3, 5]);
    expect(odd.cell({ row: 2, column: 0 })).toBe(5);
  });

  it('changes only the rows that it shows', () => {
    const { sheet, odd } = oddRows();
    odd.apply(rowEdits.setCells(odd, range(0, 2), 0));
    expect(values(sheet)).toEqual([0, 2, 0, 4, 0, 6]);
    odd.undo();
    odd.apply(rowEdits.removeRows(odd, range(1, 2)));
    expect(values(sheet)).toEqual([1, 2, 4, 6]);
    odd.undo();
    odd.apply(rowEdits.moveRows(odd, range(0), 1));
    expect(values(sheet)).toEqual([3, 2, 1, 4, 5, 6]);
  });

  it('keeps a row in sight that no longer matches once it was edited, also after undo and redo', () => {
    const sheet = new SheetModel();
    sheet.replace([{ n: 'x' }, { n: 2 }, { n: 'y' }]);
    const texts = new FilteredSheet(sheet, ({ cells }) => typeof cells[0] === 'string');
    const shown = (): unknown[] => texts.rows.map(({ cells }) => cells[0]);
    expect(shown()).toEqual(['x', 'y']);
    texts.apply(rowEdits.setCells(texts, range(0), 1));
    expect(shown()).toEqual([1, 'y']);
    texts.undo();
    expect(shown()).toEqual(['x', 'y']);
    texts.redo();
    expect(shown()).toEqual([1, 'y']);
    expect(values(sheet)).toEqual([1, 2, 'y']);
  });

  it('adds new rows behind the last row of the edit, and shows them', () => {
    const { sheet, odd } = oddRows();
    odd.apply(rowEdits.insertRows(odd, 1, 1));
    expect(values(sheet)).toEqual([1, 2, undefined, 3, 4, 5, 6]);
    expect(odd.rowCount).toBe(4);
    odd.apply(rowEdits.setCell(odd, { row: 4, column: 0 }, 9));
    expect(values(sheet)).toEqual([1, 2, undefined, 3, 4, 5, 6, 9]);
  });

  it('says where an undone step was among its rows', () => {
    const { odd } = oddRows();
    odd.apply(rowEdits.setCell(odd, { row: 2, column: 0 }, 0));
    expect(odd.undo()?.rows?.at).toBe(2);
    expect(odd.redo()?.rows?.at).toBe(2);
  });

  it('never touches a hidden row, and every edit is undone as one step', () => {
    const edit = fc.record({
      at: fc.nat(8),
      height: fc.nat(3),
      kind: fc.constantFrom('set', 'remove', 'insert'),
    });
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 8 }), fc.nat(9), (edits, count) => {
        const { sheet, odd } = oddRows(count);
        const before = sheet.toRows();
        let steps = 0;
        for (const { at, height, kind } of edits) {
          const rows = range(at, at + height);
          const { edition } = sheet;
          if (kind === 'set') odd.apply(rowEdits.setCells(odd, rows, -1));
          else if (kind === 'remove') odd.apply(rowEdits.removeRows(odd, rows));
          else odd.apply(rowEdits.insertRows(odd, Math.min(at, odd.rowCount), height + 1));
          steps += sheet.edition > edition ? 1 : 0;
        }
        const hidden = sheet.rows.flatMap(({ origin = 1 }) => (origin % 2 === 0 ? origin : []));
        expect(hidden).toEqual([2, 4, 6, 8].filter((number) => number <= count));
        expect(odd.rows).toEqual(sheet.rows.filter(isOdd));
        for (; steps > 0; steps -= 1) odd.undo();
        expect(sheet.toRows()).toEqual(before);
      }),
    );
  });
});
