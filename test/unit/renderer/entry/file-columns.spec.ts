import { describe, expect, it } from 'vitest';
import type { CellType, JsonObject } from '#contract';
import { ColumnCells } from '../../../../src-renderer/state/entry/column-cells.ts';
import {
  feedField,
  gridColumns,
  readColumns,
  type FileTable,
} from '../../../../src-renderer/state/entry/column-types.ts';
import { columnCauses } from '../../../../src-renderer/state/entry/files/file-causes.ts';

type Fields = FileTable['fields'];

function tableOf(rows: readonly JsonObject[], fields: Fields = []): FileTable {
  const cells = new Map<string, ColumnCells>();
  for (const row of rows)
    for (const [name, cell] of Object.entries(row)) {
      const known = cells.get(name) ?? new ColumnCells();
      known.add(cell);
      cells.set(name, known);
    }
  return { rows, fields, cells };
}

describe('columns of a table', () => {
  it('have the type that their cells have in common', () => {
    const table = tableOf([
      { n: ' 1', zip: '007' },
      { n: '2.5', zip: '12' },
    ]);
    expect(readColumns(['n', 'zip'], table).map(({ type }) => type)).toEqual(['number', 'string']);
  });

  it('have the type that the input node says', () => {
    const fields = [
      { name: 'zip', type: 'string' },
      { name: 'age', type: 'number', required: true },
    ] as const;
    expect(readColumns(['zip', 'age'], tableOf([{ zip: '123', age: 'old' }], fields))).toEqual([
      { name: 'zip', target: 'zip', type: 'string', repairs: [], isDeclared: true, isRequired: false },
      { name: 'age', target: 'age', type: 'number', repairs: [], isDeclared: true, isRequired: true },
    ]);
  });
});

describe('columns with other names than the workflow inputs', () => {
  const rows = [{ 'Full name': 'Ada', 'E-Mail': 'a@b.c', Size: '12k', email: '' }];
  const fields = [
    { name: 'name', type: 'string' },
    { name: 'email', type: 'string' },
    { name: 'employees', type: 'number' },
  ] as const;
  const table = tableOf(rows, fields);
  const targets = (columns: ReturnType<typeof readColumns>) =>
    Object.fromEntries(columns.map(({ name, target }) => [name, target]));

  it('feed the inputs that they resemble, and are extra columns otherwise', () => {
    const columns = readColumns(['Full name', 'E-Mail', 'Size'], table);
    expect(targets(columns)).toEqual({ 'Full name': 'name', 'E-Mail': 'email', Size: 'Size' });
    expect(gridColumns(columns)).toEqual([
      { name: 'name', type: 'string' },
      { name: 'email', type: 'string' },
      { name: 'Size', type: 'string' },
    ]);
  });

  it('feed the input that the user chooses, by its type', () => {
    const columns = readColumns(['Full name', 'Size'], table);
    const fed = feedField(columns, { field: 'employees', name: 'Size' }, table);
    expect(fed[1]).toMatchObject({ target: 'employees', type: 'number', isDeclared: true });
    expect(feedField(fed, { field: 'employees', name: undefined }, table)).toEqual(columns);
  });

  it('are left out if they have the name of an input that another column feeds', () => {
    const columns = readColumns(['E-Mail', 'email'], table);
    expect(targets(columns)).toEqual({ 'E-Mail': 'E-Mail', email: 'email' });
    const fed = feedField(columns, { field: 'email', name: 'E-Mail' }, table);
    expect(targets(fed)).toEqual({ 'E-Mail': 'email', email: undefined });
    expect(targets(feedField(fed, { field: 'email', name: undefined }, table))).toEqual({
      'E-Mail': 'E-Mail',
      email: undefined,
    });
  });
});

describe('causes of a column', () => {
  const causesOf = (cells: readonly string[], type: CellType, required = false) => {
    const table = tableOf(
      cells.map((a) => ({ a })),
      [{ name: 'a', type, required }],
    );
    return columnCauses(readColumns(['a'], table), { ...table, total: cells.length });
  };
  const texts = (causes: ReturnType<typeof causesOf>) =>
    causes.map(({ text, fixes }) => [text, ...fixes.map(({ label }) => label)]);

  it('name forms of numbers, marks of missing values and other texts, those of most cells first', () => {
    const cells = ['1.5', '2', '7747,38', '1.234,50', '9,5', 'k.A.', 'k.A.', '12k'];
    expect(texts(causesOf(cells, 'number'))).toEqual([
      ['a: 3 values like 7747,38', 'Read as numbers'],
      ['a: 2 × k.A.', 'Leave empty'],
      ['a: 1 value is no number, such as 12k'],
    ]);
  });

  it('read a column by themselves whose cells agree on one form', () => {
    const [cause] = causesOf(['1.234,50', '7,5', '12', '1.234'], 'number');
    expect(cause).toMatchObject({
      text: 'a: 3 values like 1.234,50',
      done: 'read as numbers with decimal comma',
    });
  });

  it('take one unit of a column, not another one for it', () => {
    const causes = causesOf(['5 €', '7,50 €', '3 $'], 'number');
    expect(causes).toMatchObject([
      { text: 'a: 2 values like 7,50 €', done: 'read as numbers with decimal comma' },
      { text: 'a: 1 value is no number, such as 3 $', fixes: [] },
    ]);
  });

  it('let the user choose where nothing decides', () => {
    expect(texts(causesOf(['1,234', '5'], 'number'))).toEqual([
      ['a: 1 value like 1,234', 'Read 1,234 with decimal point', 'Read 1,234 with decimal comma'],
    ]);
    expect(texts(causesOf(['03/04/2025', '2025-04-03'], 'string'))).toEqual([
      ['a: 1 date like 03/04/2025', 'Day first', 'Month first'],
    ]);
  });

  it('offer ISO only for a column of dates', () => {
    expect(texts(causesOf(['2025-01-01', '31.12.2025', 'n/a'], 'string'))).toEqual([
      ['a: 1 date like 31.12.2025', 'Make ISO'],
      ['a: 1 × n/a', 'Leave empty'],
    ]);
    expect(texts(causesOf(['since 2020', 'Ada', '31.12.2025'], 'string'))).toEqual([]);
  });

  it('name values of another type than true and false', () => {
    expect(texts(causesOf(['true', 'no', 'maybe'], 'boolean'))).toEqual([
      ['a: 1 value of another type, such as maybe'],
    ]);
  });

  it('count blanks around texts, and rows without a required value', () => {
    expect(texts(causesOf([' Ada', 'Bob ', 'Eve', ''], 'string', true))).toEqual([
      ['a: 2 cells with blanks around', 'Trim'],
      ['a: 1 row without a value (required)'],
    ]);
  });
});
