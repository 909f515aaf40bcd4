import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvReader } from '../../../../src-main/domain/rows/files/csv-rows.ts';
import { remarkLine } from '../../../../src-main/domain/rows/files/read-remarks.ts';
import type { ColumnTypes } from '../../../../src-main/domain/rows/typed-cell.ts';
import type { ReadOptions } from '../../../../src-main/domain/rows/files/read-options.ts';

const types: ColumnTypes = new Map([['n', 'number']]);

function readColumn(cells: readonly string[], options: ReadOptions = {}, declared: ColumnTypes = types) {
  const reader = csvReader(declared, { delimiter: ';', ...options });
  const rows = [...reader.push(`n;x\n${cells.map((cell) => `${cell};1\n`).join('')}`), ...reader.end()];
  const values = rows.map((row) => (JSON.parse(row) as { n?: unknown }).n);
  const report = reader.report();
  return { values, line: remarkLine('a.csv', report), readAs: report.readAs };
}

describe('a column that is declared as number', () => {
  it.each([
    ['1.234,50', [1234.5], 'n: 1 value with decimal comma read as a number'],
    ['-7,5 | 12 | 1.234', [-7.5, 12, 1234], 'n: 2 values with decimal comma read as numbers'],
    ['1,234.50 | 1,234', [1234.5, 1234], 'n: 2 values with grouped digits read as numbers'],
    ['1,234,567 | 1,234', [1234567, 1234], 'n: 2 values with grouped digits'],
    ['1 234 567', [1234567], 'n: 1 value with grouped digits'],
    ["1'234.50", [1234.5], 'n: 1 value with grouped digits'],
    ['€ 5 | 7 | 1.000,25 €', [5, 7, 1000.25], 'in €'],
    ['$5 | $1,234.50', [5, 1234.5], 'n: 2 values in $ read as numbers'],
    ['5% | 12.5 %', [5, 12.5], 'n: 2 values in percent read as numbers'],
    ['(30) | 5', [-30, 5], 'n: 1 value in brackets read as a number'],
    ['1.5 | 1e5 | -.5', [1.5, 1e5, -0.5], 'a.csv: '],
    ['1.234 | 2.345', [1.234, 2.345], 'a.csv: '],
  ])('reads %j, whose cells agree on one form', (cells, values, line) => {
    const read = readColumn(cells.split(' | '));
    expect(read.values).toEqual(values);
    expect(read.line).toContain(line);
  });

  it.each([
    ['1,234 | 5', ['1,234', 5], 'n: 1 value like "1,234" can be read in two ways and fails its row (2)'],
    ['1,5 | 2.5', ['1,5', 2.5], 'n: 1 value like "1,5" has another form than the column'],
    ['1,5 | 2.5 | 1.234', ['1,5', 2.5, '1.234'], 'can be read in two ways'],
    ['5 € | 7 $', ['5 €', '7 $'], 'have another form than the column (decimal point, no common unit)'],
    ['5% | 7', ['5%', 7], 'has another form than the column'],
    ['k.A. | 1,5 | - | NULL', ['k.A.', 1.5, '-', 'NULL'], 'n: 1 value with decimal comma'],
    ['1.2.3 | 12,34,567', ['1.2.3', '12,34,567'], 'a.csv: '],
    ['743.210.987.654.321.123', ['743.210.987.654.321.123'], 'a.csv: '],
  ])('leaves text where %j does not fit, so that those rows fail alone', (cells, values, line) => {
    const read = readColumn(cells.split(' | '));
    expect(read.values).toEqual(values);
    expect(read.line).toContain(line);
  });

  it('has the decimal mark that the option says, without a remark', () => {
    expect(readColumn(['1,234'], { decimal: ',' })).toMatchObject({
      values: [1.234],
      line: 'a.csv: ',
      readAs: { delimiter: ';', decimal: ',' },
    });
    expect(readColumn(['1,234', '1.234'], { decimal: '.' }).values).toEqual([1234, 1.234]);
  });

  it('has one form to its end: a cell behind the beginning that does not fit fails its row', () => {
    const comma = readColumn([...Array<string>(1000).fill('1,5'), '2.5', '1.234']);
    expect(comma.values.slice(999)).toEqual([1.5, '2.5', 1234]);
    expect(comma.line).toContain('n: 1 value like "2.5" has another form than the column (decimal comma)');
    expect(comma.readAs).toMatchObject({ delimiter: ';', decimal: ',' });
    const plain = readColumn([...Array<string>(1000).fill('7'), '1,5', '1,234', '1.5']);
    expect(plain.values.slice(1000)).toEqual(['1,5', '1,234', 1.5]);
  });

  it('makes each remark an error where the option strict is set', () => {
    expect(() => readColumn(['1,5'], { strict: true })).toThrow(
      'n: 1 value with decimal comma read as a number',
    );
  });

  it('reads the numbers of any country back, once a cell decides the mark', () => {
    const locale = fc.constantFrom('en-US', 'de-DE', 'de-CH', 'fr-FR', 'sv-SE');
    const number = fc.integer({ min: -99_999_999, max: 99_999_999 }).map((cents) => cents / 100);
    fc.assert(
      fc.property(locale, fc.array(number, { maxLength: 8 }), (country, numbers) => {
        const all = [0.5, ...numbers];
        const written = new Intl.NumberFormat(country);
        expect(readColumn(all.map((value) => written.format(value))).values).toEqual(all);
      }),
    );
  });
});

describe('dates in a column of texts', () => {
  const none: ColumnTypes = new Map();

  it('stay text without the option', () => {
    expect(readColumn(['31.12.2025'], {}, none).values).toEqual(['31.12.2025']);
  });

  it('become ISO text with the option', () => {
    const read = readColumn(['31.12.2025', '1.2.2025', '', 'k.A.', '2025-03-04'], { dates: 'dmy' }, none);
    expect(read.values).toEqual(['2025-12-31', '2025-02-01', '', 'k.A.', '2025-03-04']);
  });

  it('stay text, with a remark, where the calendar does not have them', () => {
    const cells = [...Array<string>(10).fill('31.12.2025'), '31.02.2025'];
    const read = readColumn(cells, { dates: 'dmy' }, none);
    expect(read.values.slice(9)).toEqual(['2025-12-31', '31.02.2025']);
    expect(read.line).toBe(
      'a.csv: n: 1 value like "31.02.2025" is no date in the order dmy and stays text (12)',
    );
  });

  it('stay text, with a remark, if any has another order', () => {
    const read = readColumn(['12/31/2025', '01/02/2025'], { dates: 'dmy' }, none);
    expect(read.values).toEqual(['12/31/2025', '01/02/2025']);
    expect(read.line).toBe(
      'a.csv: n: 2 dates like "12/31/2025" stay text: the first values of the column do not agree on the order dmy (2, 3)',
    );
  });

  it('stay text, with a remark, if the first rows have none', () => {
    const { values, line } = readColumn(
      [...Array<string>(2000).fill(''), '31.12.2025'],
      { dates: 'dmy' },
      none,
    );
    expect(values.at(-1)).toBe('31.12.2025');
    expect(line).toContain('n: 1 date like "31.12.2025" stays text');
  });

  it('are no matter of a column of other texts', () => {
    expect(readColumn(['a', 'b', '31.12.2025'], { dates: 'dmy' }, none).line).toBe('a.csv: ');
  });
});
