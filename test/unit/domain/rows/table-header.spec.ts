import { describe, expect, it } from 'vitest';
import { tableHeader } from '../../../../src-main/domain/rows/files/table-header.ts';
import type { HeaderChoice } from '../../../../src-main/domain/rows/files/read-options.ts';

/** The table whose rows are these texts, with cells between bars; an empty text is a row that is left out before. */
function headerOf(texts: readonly string[], header?: HeaderChoice) {
  const rows = texts.map((text, index) => ({ line: index + 1, cells: text.split('|') }));
  const found = tableHeader(
    rows.filter(({ cells }) => cells.some((cell) => cell !== '')),
    { header, unit: 'line', nameOf: (column) => `column ${column + 1}` },
  );
  return { ...found, remarks: found.remarks.map(({ words, count = 1 }) => words(count)) };
}

describe('the header of a table', () => {
  it('is its first row, without a remark', () => {
    expect(headerOf(['id|name', '1|Ada', '2|Bob'])).toMatchObject({
      choice: { first: 1, last: 1 },
      names: ['id', 'name'],
      firstRow: 1,
      remarks: [],
    });
  });

  it('may stand below lines of a title', () => {
    expect(headerOf(['Report of May||', '||', 'id|name|age', '1|Ada|36'])).toMatchObject({
      choice: { first: 3, last: 3 },
      names: ['id', 'name', 'age'],
      remarks: ['header in line 3', '2 lines above left out'],
    });
  });

  it('may stand below a line of notes with fewer cells', () => {
    const table = ['exported by|me', 'id|name|age', '1|Ada|36', '2|Bob|41'];
    expect(headerOf(table)).toMatchObject({ choice: { first: 2, last: 2 }, firstRow: 2 });
  });

  it.each([
    [
      ['399.19|74.38', '401.12|73.73'],
      ['column 1', 'column 2'],
    ],
    [
      ['Ada|5|2026-01-02', 'Bob|7|2026-01-03'],
      ['column 1', 'column 2', 'column 3'],
    ],
    [['1|2|'], ['column 1', 'column 2', 'column 3']],
  ])('is missing where the first row has values as the others: %j', (table, names) => {
    expect(headerOf(table)).toMatchObject({
      choice: 'none',
      names,
      firstRow: 0,
      remarks: ['no header line: line 1 has values'],
    });
  });

  it.each([
    ['names of years', ['name|2016|2015', 'Ada|1|2']],
    ['a name for one of two columns of values', ['id|7', '1|2', '3|4']],
    ['texts alone', ['Ada|Bonn', 'Bob|Ulm']],
    ['nothing but an index without a name', ['|value', '0|0.5', '1|0.7']],
  ])('may have %s', (_, table) => {
    expect(headerOf(table)).toMatchObject({ choice: { first: 1, last: 1 }, firstRow: 1 });
  });

  it('has each name once, and a name for each column with values', () => {
    expect(headerOf(['Notes|Notes|||Notes (2)|Notes|', 'a|b|c||d|e|'])).toMatchObject({
      names: ['Notes', 'Notes (3)', 'column 3', 'column 4', 'Notes (2)', 'Notes (4)', 'column 7'],
      leftOut: new Set([3, 6]),
      remarks: [
        '2 columns with the name of another: "Notes (3)", "Notes (4)"',
        '1 column without a name: "column 3"',
        '2 columns without a name and without values left out',
      ],
    });
  });

  it('has no name twice where a column is named as the reader names nameless ones', () => {
    expect(headerOf(['column 2||column 2 (2)', 'a|b|c']).names).toEqual([
      'column 2',
      'column 2 (3)',
      'column 2 (2)',
    ]);
  });

  it('may have two lines, which the reader offers and joins by option', () => {
    const table = ['date|travel||total', '|air|rail|', '2026-01-02|10|5|15'];
    expect(headerOf(table).remarks).toContain('line 2 looks like a second line of the header');
    expect(headerOf(table, { first: 1, last: 2 })).toMatchObject({
      names: ['date', 'travel air', 'travel rail', 'total'],
      firstRow: 2,
      remarks: [],
    });
  });

  it('is where the option says, or nowhere', () => {
    const table = ['id|name', '1|Ada', '2|Bob'];
    expect(headerOf(table, { first: 2, last: 2 })).toMatchObject({
      names: ['1', 'Ada'],
      firstRow: 2,
      remarks: [],
    });
    expect(headerOf(table, 'none')).toMatchObject({
      names: ['column 1', 'column 2'],
      firstRow: 0,
      remarks: [],
    });
    expect(() => headerOf(table, { first: 9, last: 9 })).toThrow(/^line 9: there is no header here/);
  });

  it('with a name that every row would repeat at length is refused with a way on', () => {
    expect(() => headerOf([`id|${'x'.repeat(1001)}`, '1|Ada'])).toThrow(
      /^line 1: the name of a column is longer than 1000 characters\. Name the line .* with --header, or none$/,
    );
  });

  it('of very many columns is found in time that grows with the width alone', () => {
    const started = performance.now();
    const wide = '|'.repeat(300_000);
    expect(headerOf([`a|b${wide}`, `1|2${wide}`]).leftOut.size).toBe(300_000);
    expect(headerOf([`a${'|a'.repeat(100_000)}`, `1|2${wide}`]).names.at(-1)).toBe('a (100001)');
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
