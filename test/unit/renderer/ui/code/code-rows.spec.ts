import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  codeRows,
  clampMarks,
  drawnRowOfLine,
  type CodeMark,
} from '../../../../../src-renderer/ui/code/code-rows.ts';

const mark = (line: number, message = 'wrong'): CodeMark => ({ line, severity: 'error', message });
const names = (first: number, end: number, lines: number, marks: readonly CodeMark[]) =>
  codeRows({ first, end }, lines, marks).map((row) => (row.kind === 'line' ? row.line : row.mark.message));

describe('the rows of a code view', () => {
  it('have what is said about a line below it', () => {
    const marks = clampMarks([mark(2, 'c'), mark(0, 'a'), mark(0, 'b')], 4);
    expect(names(0, 9, 4, marks)).toEqual([0, 'a', 'b', 1, 2, 'c', 3]);
    expect(names(2, 5, 4, marks)).toEqual(['b', 1, 2]);
    expect(drawnRowOfLine(3, marks)).toBe(6);
  });

  // A line whose warning came first had the colour of a warning, although it had an error too.
  it('have errors before warnings', () => {
    const warning: CodeMark = { line: 0, severity: 'warning', message: 'unused' };
    const marks = clampMarks([warning, mark(0, 'a'), mark(0, 'b')], 2);
    expect(names(0, 9, 2, marks)).toEqual([0, 'a', 'b', 'unused', 1]);
  });

  it('keep at the last line what is said about one that is gone', () => {
    expect(clampMarks([mark(9)], 2)).toEqual([mark(1)]);
    expect(names(0, 3, 0, clampMarks([mark(0)], 0))).toEqual([]);
  });

  it('are the same in any window as in the whole', () => {
    const cases = fc.record({
      lines: fc.integer({ min: 1, max: 30 }),
      at: fc.array(fc.nat(40), { maxLength: 12 }),
      first: fc.nat(40),
      size: fc.nat(20),
    });
    fc.assert(
      fc.property(cases, ({ lines, at, first, size }) => {
        const marks = clampMarks(
          at.map((line, index) => mark(line, `m${index}`)),
          lines,
        );
        const all = names(0, lines + marks.length, lines, marks);
        expect(all).toHaveLength(lines + marks.length);
        expect(names(first, first + size, lines, marks)).toEqual(all.slice(first, first + size));
      }),
    );
  });
});
