import { describe, expect, it } from 'vitest';
import { hasColumn, readTable } from '../../../../src-main/domain/sources/table.ts';
import { runInPieces } from '../../../../src-main/base/event-loop-yield.ts';

describe('a table', () => {
  it.each([
    [
      'a.csv',
      'code,name\r\n05,"Aix, la"\r\n6,\r\n',
      '{"code":"05","name":"Aix, la"}\n{"code":"6","name":""}',
    ],
    ['a.tsv', 'code\tname\n1\tx,y\n', '{"code":"1","name":"x,y"}'],
    ['a.json', '[{"code": 5,\n "name": null}]', '{"code": 5,  "name": null}'],
    ['a.ndjson', '{"code":1}\n\n{"code":2}', '{"code":1}\n{"code":2}'],
    ['a.csv', '\ufeffcode\n1', '{"code":"1"}'],
    ['a.json', '[]', ''],
  ])('is read from %s as records', (path, text, lines) => {
    expect(readTable(path, text)).toEqual({ path, lines });
  });

  it.each([
    [
      'a.csv',
      `code,${'x'.repeat(1001)}\n1,2\n`,
      'line 1: the name of a column is longer than 1000 characters',
    ],
    ['a.json', '[{"a":1},\n 5]', 'line 2, column 2: a row must be an object, not a number'],
    ['a.ndjson', '{"a":1}\n{"a":', 'line 2'],
    ['a.ndjson', '{"a":1e400}', 'line 1, column 1: a number is too large for a double'],
    ['a.json', `[{"a":${'['.repeat(200)}${']'.repeat(200)}}]`, 'line 1, column 2: a row may be nested'],
  ])('that is broken is refused with the place: %s %j', (path, text, message) => {
    expect(() => readTable(path, text)).toThrow(message);
  });

  it('may not name long columns in so many records that the names are most of it', () => {
    const [longest, rows] = ['x'.repeat(1000), '1\n'.repeat(100_000)];
    expect(() => readTable('a.csv', `${longest}x\n1\n`)).toThrow(
      'line 1: the name of a column is longer than 1000 characters',
    );
    expect(() => readTable('a.csv', `${longest}\n${rows}`)).toThrow(
      'a.csv: its records have more than 60 MB when each names its columns',
    );
  });

  it('has a column when any record has it as its own', async () => {
    const table = readTable('a.ndjson', '{"a":1}\n{"b":2}');
    const has = async (column: string) => runInPieces(hasColumn(table, column));
    expect([await has('a'), await has('b'), await has('toString')]).toEqual([true, true, false]);
    expect(await runInPieces(hasColumn(readTable('a.csv', 'a\n'), 'anything'))).toBe(true);
  });
});
