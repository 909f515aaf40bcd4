import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTsv, writeTsv } from '../../../../../src-renderer/state/entry/grid/tsv.ts';

describe('a block of cells on the clipboard', () => {
  it('reads back as it was written, to the letter', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', '\t', '\n', '\r', ' ', 'é', ',') });
    const block = fc
      .integer({ min: 2, max: 4 })
      .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1 }));
    fc.assert(
      fc.property(block, (records) => {
        expect(parseTsv(`${writeTsv(records)}\n`)).toEqual(records);
      }),
      { numRuns: 500 },
    );
  });

  it('is read as Excel, Sheets and LibreOffice write it', () => {
    expect(parseTsv('a\tb\r\n1\t2\r\n')).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ]);
    expect(parseTsv('x\t"two\nlines"\ty\r\n"say ""hi"""\t\t')).toEqual([
      ['x', 'two\nlines', 'y'],
      ['say "hi"', '', ''],
    ]);
    expect(parseTsv('')).toEqual([]);
    expect(parseTsv('a\n\nb')).toEqual([['a'], [''], ['b']]);
  });

  it('takes a quote that closes nothing for a letter', () => {
    expect(parseTsv('"open\tb\n5" wide\t"a" b')).toEqual([
      ['"open', 'b'],
      ['5" wide', '"a" b'],
    ]);
  });
});
