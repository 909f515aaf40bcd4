import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scrollToShow, visibleRows } from '../../../src-renderer/ui/visible-rows.ts';

describe('the rows that are drawn', () => {
  it('are those in sight and a few more, whatever the count and the scroll', () => {
    const nat = fc.nat({ max: 3_200_000 });
    fc.assert(
      fc.property(fc.nat({ max: 100_000 }), nat, fc.nat({ max: 2_000 }), (rows, top, height) => {
        const { first, end } = visibleRows(rows, 32, { top, height });
        expect(first).toBeGreaterThanOrEqual(0);
        expect(end).toBeLessThanOrEqual(rows);
        expect(end - first).toBeLessThanOrEqual(Math.ceil(height / 32) + 18);
        const inSight = Math.floor(top / 32);
        if (inSight < rows && height > 0) {
          expect(first).toBeLessThanOrEqual(inSight);
          expect(end).toBeGreaterThan(inSight);
        }
      }),
    );
  });

  it('are scrolled to only when they are not in sight', () => {
    const view = { top: 320, height: 320 };
    expect([9, 10, 19, 20].map((row) => scrollToShow(row, 32, view))).toEqual([
      288,
      undefined,
      undefined,
      352,
    ]);
  });
});
