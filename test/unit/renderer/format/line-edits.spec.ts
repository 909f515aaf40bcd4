import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineEdits, type LineEdit } from '../../../../src-renderer/format/line-edits.ts';

const edited = (lines: readonly string[], edits: readonly LineEdit[]): string[] => {
  const result = [...lines];
  for (const edit of edits.toReversed()) result.splice(edit.from, edit.to - edit.from, ...edit.lines);
  return result;
};

const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd', ''), { maxLength: 30 });

describe('edits of lines', () => {
  it('make the one text of the other, in order and apart', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const edits = lineEdits(before, after);
        expect(edited(before, edits)).toEqual(after);
        edits.slice(1).forEach((edit, n) => expect(edit.from).toBeGreaterThan(edits[n]?.to ?? 0));
      }),
    );
  });

  it('replace only what differs', () => {
    expect(lineEdits(['a', 'b', 'c', 'd', 'e'], ['x', 'a', 'b', 'd', 'e', 'f'])).toEqual([
      { from: 0, to: 0, lines: ['x'] },
      { from: 2, to: 3, lines: [] },
      { from: 5, to: 5, lines: ['f'] },
    ]);
    expect(lineEdits(['a', 'b'], ['a', 'b'])).toEqual([]);
  });

  it('replace all that is between the ends where two large texts have little in common', () => {
    const before = Array.from({ length: 20_000 }, (_, n) => `before ${n}`);
    const after = Array.from({ length: 20_000 }, (_, n) => `after ${n}`);
    expect(lineEdits(['same', ...before], ['same', ...after])).toEqual([
      { from: 1, to: 20_001, lines: after },
    ]);
  });
});
