import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { CsvRecords } from '../../../../src-main/domain/rows/files/csv-records.ts';
import { csvReader } from '../../../../src-main/domain/rows/files/csv-rows.ts';
import type { CellType } from '../../../../src-main/domain/rows/typed-cell.ts';

const plain = {
  delimiter: ',',
  quote: '"',
  isEscaped: false,
  hasBlanks: false,
  quotesCells: true,
  width: 0,
} as const;

const read = (text: string, types: Record<string, CellType> = {}): string[] => {
  const reader = csvReader(new Map(Object.entries(types)));
  return [...reader.push(text), ...reader.end()];
};

describe('CSV records', () => {
  it('are what another CSV reader finds, however the text is quoted and cut', () => {
    const table = fc.array(
      fc.array(fc.string({ unit: fc.constantFrom('a', 'ß', '"', ',', ';', '\n', '\r', ' ', '=') }), {
        minLength: 2,
        maxLength: 4,
      }),
    );
    const newline = fc.constantFrom('\n', '\r\n');
    const sizes = fc.integer({ min: 1, max: 9 });
    fc.assert(
      fc.property(table, newline, sizes, fc.boolean(), (rows, lineBreak, size, quotes) => {
        const text = Papa.unparse(rows, { newline: lineBreak, quotes });
        const records = new CsvRecords(plain);
        const found = [];
        for (let at = 0; at < text.length; at += size) found.push(...records.push(text.slice(at, at + size)));
        found.push(...records.end());
        expect(found.map((record) => record.cells)).toEqual(rows);
      }),
      { numRuns: 500 },
    );
  });

  it('know the line on which they begin', () => {
    const records = new CsvRecords(plain);
    const found = [...records.push('a,"x\ny"\n\nb,c\r\n'), ...records.end()];
    expect(found.map(({ line, cells }) => [line, cells.length])).toEqual([
      [1, 2],
      [3, 1],
      [4, 2],
    ]);
  });

  it('may end their lines with CR alone', () => {
    const records = new CsvRecords(plain);
    expect([...records.push('a,b\rc,d\r'), ...records.end()].map((each) => each.cells)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });
});

describe('rows of a CSV file', () => {
  it('are objects in column order, and text unless a type is declared', () => {
    expect(read('name,zip\nAda,00123\n')).toEqual(['{"name":"Ada","zip":"00123"}']);
  });

  it('take the types that the input node declares', () => {
    const text = 'n,b,list,map,any\n 1.5 ,Yes,"[1,""x""]","{""k"":1}",7\n';
    const types = { n: 'number', b: 'boolean', list: 'array', map: 'object', any: 'any' } as const;
    expect(read(text, types)).toEqual(['{"n":1.5,"b":true,"list":[1,"x"],"map":{"k":1},"any":"7"}']);
  });

  it.each([
    ['age', ' k.A. '],
    ['age', '1e999'],
    ['age', '743210987654321123'],
    ['ok', 'maybe'],
    ['tags', '{}'],
    ['tags', '[1e400]'],
  ])('keep the text of a %s that cannot be read, here %j, so that its row fails alone', (name, cell) => {
    const types = { age: 'number', ok: 'boolean', tags: 'array' } as const;
    expect(read(`${name};n\n${cell};1\n`, types)).toEqual([JSON.stringify({ [name]: cell.trim(), n: '1' })]);
  });

  it('leave out a field whose cell is empty, but keep empty text', () => {
    expect(read('n,s,t\n,,x\n', { n: 'number' })).toEqual(['{"s":"","t":"x"}']);
  });

  it('keep a column named __proto__', () => {
    expect(read('__proto__,b\n1,2')).toEqual(['{"__proto__":"1","b":"2"}']);
  });

  it('skip blank lines and nameless columns that stay empty', () => {
    expect(read('a,b,\n1,2,\n\n3,4,\n')).toEqual(['{"a":"1","b":"2"}', '{"a":"3","b":"4"}']);
  });

  it('are none when there is only a header, or nothing', () => {
    expect([read('a,b\n'), read('')]).toEqual([[], []]);
  });

  it('arrive while the text still does, once its beginning is read', () => {
    const reader = csvReader(new Map());
    const many = '1,2\n'.repeat(40_000);
    expect(reader.push('a,b\n1')).toEqual([]);
    expect(reader.push(`,2\n${many}3,`)).toHaveLength(40_001);
    expect([reader.push('4'), reader.end()]).toEqual([[], ['{"a":"3","b":"4"}']]);
  });
});
