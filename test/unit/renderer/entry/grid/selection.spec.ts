import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as selection from '../../../../../src-renderer/state/entry/grid/selection.ts';
import { SheetModel } from '../../../../../src-renderer/state/entry/grid/sheet-model.ts';

const at = (row: number, column: number) => selection.cellSelection({ row, column });
const still = { isExtending: false, isFar: false, page: 10 };

describe('the selection', () => {
  const sheet = SheetModel.fromRows([{ a: 1, b: 1, c: 1 }, { a: 2 }, {}, { a: 4 }, {}]);
  const far = (row: number, column: number, key: string) =>
    selection.stepped(sheet, at(row, column), { ...still, key, isFar: true })?.head;

  it('goes to the edge of what is filled, as spreadsheets do', () => {
    expect(far(0, 0, 'ArrowDown')).toEqual({ row: 1, column: 0 });
    expect(far(1, 0, 'ArrowDown')).toEqual({ row: 3, column: 0 });
    expect(far(3, 0, 'ArrowDown')).toEqual({ row: 4, column: 0 });
    expect(far(0, 0, 'ArrowRight')).toEqual({ row: 0, column: 2 });
    expect(far(1, 0, 'ArrowRight')).toEqual({ row: 1, column: 2 });
    expect(far(2, 1, 'Home')).toEqual({ row: 0, column: 0 });
    expect(far(0, 1, 'End')).toEqual({ row: 4, column: 2 });
  });

  it('stays within the sheet and its blank row, whatever is pressed', () => {
    const keys = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown'];
    const step = fc.record({
      key: fc.constantFrom(...keys),
      isExtending: fc.boolean(),
      isFar: fc.boolean(),
      page: fc.integer({ min: 1, max: 9 }),
    });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        let now = at(0, 0);
        for (const each of steps) now = selection.stepped(sheet, now, each) ?? now;
        const { top, left, bottom, right } = selection.rangeOf(now);
        expect([top >= 0, left >= 0, bottom <= 5, right <= 2]).toEqual([true, true, true, true]);
      }),
    );
    expect(selection.stepped(sheet, at(0, 0), { ...still, key: 'x' })).toBeUndefined();
  });

  it('holds all rows but the blank one, which is there to be walked to', () => {
    expect(selection.rangeOf(selection.selectAll(sheet))).toEqual({ top: 0, bottom: 4, left: 0, right: 2 });
    expect(selection.stepped(sheet, at(4, 0), { ...still, key: 'ArrowDown' })).toEqual(at(5, 0));
    expect(selection.nextCell(sheet, { row: 0, column: 2 }, 1)).toEqual({ row: 1, column: 0 });
    expect(selection.nextCell(sheet, { row: 5, column: 2 }, 1)).toBeUndefined();
    expect(selection.nextCell(sheet, { row: 0, column: 0 }, -1)).toBeUndefined();
  });

  it('fills along the side that the handle is dragged over most', () => {
    const from = { top: 2, bottom: 3, left: 1, right: 1 };
    expect(selection.fillTarget(from, { row: 9, column: 2 })).toEqual({ ...from, bottom: 9 });
    expect(selection.fillTarget(from, { row: 0, column: 1 })).toEqual({ ...from, top: 0 });
    expect(selection.fillTarget(from, { row: 2, column: 2 })).toEqual({ ...from, right: 2 });
    expect(selection.fillTarget(from, { row: 3, column: 1 })).toEqual(from);
  });
});
