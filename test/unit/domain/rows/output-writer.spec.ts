import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { csvLine } from '../../../../src-main/domain/rows/export/csv-line.ts';
import { unguardFormulas } from '../../../../src-main/domain/rows/export/formula-guard.ts';
import {
  createOutputWriter,
  outputFormatOfName,
  type OutputFormat,
} from '../../../../src-main/domain/rows/export/output-writer.ts';

function write(format: OutputFormat, pieces: readonly string[][] = [], columns = ['a', 'b']): string {
  const writer = createOutputWriter(format, columns);
  return pieces.map((piece) => writer.push(piece)).join('') + writer.end();
}

describe('outputs written as a file', () => {
  const pieces = [['{"a":1,"b":"x"}', ''], ['{"a":2,"b":null}']];

  it('are a JSON list with null for a row without output', () => {
    expect(write('json', pieces)).toBe('[\n{"a":1,"b":"x"},\nnull,\n{"a":2,"b":null}\n]\n');
  });

  it('are NDJSON with null for a row without output', () => {
    expect(write('ndjson', pieces)).toBe('{"a":1,"b":"x"}\nnull\n{"a":2,"b":null}\n');
  });

  it('are CSV with a header, without the rows that have no output', () => {
    expect(write('csv', pieces)).toBe('a,b\n1,x\n2,\n');
  });

  it('are CSV with an empty cell for a field that an output does not have', () => {
    expect(write('csv', [['{"b":1}'], ['{}', '{"c":"x","a":[]}']], ['b', 'a', 'c'])).toBe(
      'b,a,c\n1,,\n"",,\n,[],x\n',
    );
  });

  it('are an empty list, or nothing, when there are none', () => {
    expect([write('json'), write('ndjson'), write('csv')]).toEqual(['[]\n', '', '']);
  });

  it.each([
    ['x.json', 'json'],
    ['x.jsonl', 'ndjson'],
    ['a/b.CSV', 'csv'],
    ['x.txt', undefined],
  ])('to %s are written as %s', (name, format) => {
    expect(outputFormatOfName(name)).toBe(format);
  });
});

describe('a CSV record', () => {
  it.each([
    [['=1+1', '+x', '-x', '@SUM(A1)', '\tx', '＝1'], "'=1+1,'+x,'-x,'@SUM(A1),\"'\tx\",'＝1\n"],
    [['-5', '+49.5', -5, 'a-b'], '-5,+49.5,-5,a-b\n'],
    [[null, true, [1, '=x'], { k: 'v' }], ',true,"[1,""=x""]","{""k"":""v""}"\n'],
    [['say "hi"', 'a,b', 'two\nlines', ' x'], '"say ""hi""","a,b","two\nlines"," x"\n'],
    [[null], '""\n'],
  ])('of %j', (values, line) => {
    expect(csvLine(values)).toBe(line);
  });

  it('is read back by another CSV reader, but for the apostrophes of guarded formulas', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 2, maxLength: 5 }), (cells) => {
        const read = Papa.parse<string[]>(csvLine(cells), { delimiter: ',', newline: '\n' }).data[0] ?? [];
        expect(read.map(unguardFormulas)).toEqual(cells);
      }),
    );
  });
});
