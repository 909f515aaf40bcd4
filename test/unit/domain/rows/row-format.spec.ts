import { describe, expect, it } from 'vitest';
import { rowFormatOfName, sniffRowFormat } from '../../../../src-main/domain/rows/files/row-format.ts';
import { createRowReader } from '../../../../src-main/domain/rows/files/create-row-reader.ts';

describe('the format of rows', () => {
  it.each([
    ['leads.json', 'json'],
    ['a.b.NDJSON', 'ndjson'],
    ['x.jsonl', 'ndjson'],
    ['x.csv', 'csv'],
    ['x.tsv', 'tsv'],
    ['rows', undefined],
    ['rows.txt', undefined],
  ])('of a file named %s is %s', (name, format) => {
    expect(rowFormatOfName(name)).toBe(format);
  });

  it.each([
    ['[{"a":1}]', 'json'],
    ['\n  [\n', 'json'],
    ['{"rows":[{"a":1}]}\n', 'json'],
    ['{\n  "rows": [', 'json'],
    ['{"a":1}\n{"a":2}\n', 'ndjson'],
    ['{"a":1}', 'ndjson'],
    ['name,age\nAda,36', 'csv'],
    ['name\tage\nAda\t36', 'tsv'],
    ['', 'csv'],
  ])('of text that begins with %j is %s', (text, format) => {
    expect(sniffRowFormat(text)).toBe(format);
  });
});

describe('rows of NDJSON', () => {
  const read = (...pieces: string[]): string[] => {
    const reader = createRowReader('ndjson', new Map());
    return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()];
  };

  it('are the lines, blank ones skipped', () => {
    expect(read('{"a":1}\r\n\n{"b"', ':2}')).toEqual(['{"a":1}', '{"b":2}']);
  });

  it.each([
    ['{"a":1}\n\n{"a":}\n', 'line 3, column 6: expected a value, found "}"'],
    ['{"a":1} {"b":2}\n', 'line 1, column 9: unexpected "{" after the end of the value'],
    ['[1]\n', 'line 1, column 1: a row must be an object, not a list'],
  ])('%j is refused', (text, message) => {
    expect(() => read(text)).toThrow(message);
  });
});
