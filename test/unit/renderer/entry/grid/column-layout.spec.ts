import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnEdges } from '../../../../../src-renderer/state/entry/grid/column-layout.ts';
import { SheetModel } from '../../../../../src-renderer/state/entry/grid/sheet-model.ts';
import { columnAt, visibleColumns } from '../../../../../src-renderer/ui/grid/column-range.ts';

describe('the columns of a sheet', () => {
  it('are found under every point, and drawn where they are in sight', () => {
    const sheet = fc.array(fc.integer({ min: 56, max: 800 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(sheet, fc.nat({ max: 9_000 }), fc.nat({ max: 2_000 }), (widths, left, width) => {
        const edges = [0];
        for (const each of widths) edges.push((edges.at(-1) ?? 0) + each);
        const at = columnAt(edges, left);
        expect((edges[at] ?? 0) <= left).toBe(true);
        expect(at === widths.length - 1 || (edges[at + 1] ?? 0) > left).toBe(true);
        const { first, end } = visibleColumns(edges, { left, width });
        expect(first).toBeLessThanOrEqual(at);
        expect(end).toBeGreaterThan(at);
        expect(end).toBeLessThanOrEqual(widths.length);
        expect(end - first).toBeLessThanOrEqual(Math.ceil(width / 56) + 6);
      }),
    );
  });

  it('are as wide as their type needs it, until they are resized', () => {
    const { columns } = SheetModel.fromRows([{ a: 1, b: 'x' }]);
    expect(columnEdges(columns, new Map())).toEqual([0, 110, 290]);
    expect(columnEdges(columns, new Map([[0, 300]]))).toEqual([0, 300, 480]);
    expect(visibleColumns(columnEdges([], new Map()), { left: 0, width: 900 })).toEqual({ first: 0, end: 0 });
  });
});
