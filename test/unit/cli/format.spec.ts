import { describe, expect, it } from 'vitest';
import { printable, table } from '../../../src-main/cli/format.ts';

describe('a table', () => {
  it('aligns its columns and leaves no blanks at the end of a line', () => {
    expect(
      table(
        ['ID', 'NAME'],
        [
          ['1', 'a'],
          ['long', ''],
        ],
      ),
    ).toBe('ID    NAME\n1     a\nlong\n');
  });

  it('lets no name steer the terminal or turn the text around', () => {
    expect(table(['A'], [['x\u001b[2Jy\u202ez\r\n']])).toBe('A\nx [2Jy z\n');
    expect(printable('a\u0007\u009bb')).toBe('a b');
  });
});
