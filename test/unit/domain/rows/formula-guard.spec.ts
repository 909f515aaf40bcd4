import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { csvReader } from '../../../../src-main/domain/rows/files/csv-rows.ts';
import { csvLine } from '../../../../src-main/domain/rows/export/csv-line.ts';
import { createOutputWriter, outputFormats } from '../../../../src-main/domain/rows/export/output-writer.ts';
import { createRowReader } from '../../../../src-main/domain/rows/files/create-row-reader.ts';
import { computingMs } from '../../../builders/cpu-ratio.ts';

/** Text of the characters that guards, quotes and delimiters are about, and of any others. */
const tricky = fc.string({
  unit: fc.constantFrom(...'\'"=+-@;,|\t\r\n x5.e\u00a0\ufeff\u200b\uff1d\uff0d\u0000'),
  maxLength: 12,
});
const text = fc.oneof(tricky, fc.string({ unit: 'binary' }));

const isFormula = (cell: string): boolean =>
  /^[\s"\p{Cc}\p{Cf}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/u.test(cell) &&
  !/^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(cell);

describe('a CSV file that Rowbench wrote', () => {
  it.each(outputFormats)('comes back equal when it is read as rows, whatever its texts are: %s', (format) => {
    const table = fc
      .uniqueArray(
        text.filter((name) => name !== '' && name !== '__proto__'),
        { minLength: 1, maxLength: 4 },
      )
      .chain((names) =>
        fc
          .array(fc.tuple(...names.map(() => text)), { minLength: 1, maxLength: 4 })
          .map((rows) =>
            rows.map((cells) => Object.fromEntries(names.map((name, n) => [name, cells[n] ?? '']))),
          ),
      );
    fc.assert(
      fc.property(table, fc.integer({ min: 1, max: 9 }), (rows, size) => {
        const writer = createOutputWriter(format, Object.keys(rows[0] ?? {}));
        const content = writer.push(rows.map((row) => JSON.stringify(row))) + writer.end();
        const rowReader = createRowReader(format, new Map());
        const lines: string[] = [];
        for (let at = 0; at < content.length; at += size)
          lines.push(...rowReader.push(content.slice(at, at + size)));
        lines.push(...rowReader.end());
        const read = lines.map((line) => JSON.parse(line) as Record<string, string>);
        expect(read).toEqual(rows);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([',', ';', '\t'])(
    'begins no cell with a formula for a program that splits it at %j',
    (delimiter) => {
      fc.assert(
        fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (cells) => {
          const file = csvLine(['first', ...cells]);
          const read = Papa.parse<string[]>(file, { delimiter }).data.flat();
          expect(read.filter(isFormula)).toEqual([]);
        }),
        { numRuns: 1000 },
      );
    },
  );

  it.each([
    ['x;=1+1', `"'x;'=1+1"`],
    ['\n=1', `"'\n'=1"`],
    ['\u00a0=1', "'\u00a0=1"],
    ['\ufeff+1+1', "'\ufeff+1+1"],
    ["'=1", "''=1"],
    ["'tis", "'tis"],
    ['a;b', '"a;b"'],
    ['a|b', '"a|b"'],
    ['-5;x', `"'-5;x"`],
    ['x;-5', `"'x;'-5"`],
    ['-5.25e-7', '-5.25e-7'],
    ['-5', '-5'],
    ['2;=1', `"'2;'=1"`],
  ])('holds the text %j as %j', (value, cell) => {
    expect(csvLine([value])).toBe(`${cell}\n`);
  });

  it('is written and read in time that grows with its length alone', () => {
    const long = ['\n', ';', "'", ' ', ";'", '\u00a0'].map((piece) => piece.repeat(200_000));
    const ms = computingMs(() => {
      const reader = csvReader(new Map());
      const rows = [...reader.push('a,b,c,d,e,f\n'), ...reader.push(csvLine(long)), ...reader.end()];
      expect(JSON.parse(rows[0] ?? '')).toMatchObject({ a: long[0], f: long[5] });
    });
    expect(ms).toBeLessThan(5000);
  });
});

describe('an apostrophe in a CSV file of another program', () => {
  it.each(["'quoted'", "'-5", "x;'=1", "a\n'- b", "it's", "'"])('is part of the cell %j', (cell) => {
    const reader = csvReader(new Map());
    const quoted = `"${cell.replaceAll('"', '""')}"`;
    expect([...reader.push(`a,b\n${quoted},1\n`), ...reader.end()]).toEqual([
      JSON.stringify({ a: cell, b: '1' }),
    ]);
  });
});
