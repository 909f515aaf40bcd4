import { describe, expect, it } from 'vitest';
import { csvBlock } from '../../../../../src-renderer/state/entry/grid/csv-block.ts';

const linesOf = (text: string) => csvBlock(text)?.lines;

describe('a text on the clipboard', () => {
  it('is split at commas or semicolons where every line has as many', () => {
    expect(csvBlock('name,email\r\nAda,a@b.org\r\n')).toEqual({
      delimiter: ',',
      lines: [
        ['name', 'email'],
        ['Ada', 'a@b.org'],
      ],
    });
    expect(csvBlock('1,5;2,5\n3,5;4,5\n\n')).toEqual({
      delimiter: ';',
      lines: [
        ['1,5', '2,5'],
        ['3,5', '4,5'],
      ],
    });
    expect(linesOf('a,b\n"x, y","two\nlines ""so"" "')).toEqual([
      ['a', 'b'],
      ['x, y', 'two\nlines "so" '],
    ]);
  });

  it('that Rowbench exported as CSV loses the apostrophes before its formulas', () => {
    expect(linesOf(`id,note\n1,'=1+1\n2,"'x;'=2"\n3,'tis\n`)).toEqual([
      ['id', 'note'],
      ['1', '=1+1'],
      ['2', 'x;=2'],
      ['3', "'tis"],
    ]);
  });

  it.each([
    ['one line', 'a,b,c'],
    ['cells with tabs', 'a,b\tc\nd,e\tf'],
    ['lines of different widths', 'a,b\nc\nd,e'],
    ['no delimiter', 'a\nb'],
    ['names with a comma', 'Lovelace, Ada\nHopper, Grace'],
    ['sentences', 'Well, it is, so\nNo, it was, too'],
    ['numbers with a decimal comma', '1,5\n-2,75'],
    ['JSON', '{"a":1,"b":2}\n{"a":3,"b":4}'],
    ['nothing', ' \n '],
  ])('is no CSV: %s', (_, text) => {
    expect(csvBlock(text)).toBeUndefined();
  });
});
