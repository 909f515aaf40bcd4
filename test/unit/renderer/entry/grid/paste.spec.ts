import { describe, expect, it } from 'vitest';
import {
  copyCells,
  pasteText,
  replaceRows,
  rowsBelowHeader,
} from '../../../../../src-renderer/state/entry/grid/paste.ts';
import type { CellRange } from '../../../../../src-renderer/state/entry/grid/sheet-change.ts';
import type { InputField } from '../../../../../src-renderer/state/entry/grid/sheet-columns.ts';
import { SheetModel } from '../../../../../src-renderer/state/entry/grid/sheet-model.ts';

const fields: readonly InputField[] = [
  { name: 'email', type: 'string', required: true },
  { name: 'age', type: 'number', required: false },
];
const range = (top: number, left: number, bottom = top, right = left): CellRange => ({
  top,
  bottom,
  left,
  right,
});
const paste = (sheet: SheetModel, to: CellRange, text: string): void =>
  sheet.apply(pasteText(sheet, to, { text }));

describe('a block that is pasted', () => {
  it('is read by the types of its columns, and grows the sheet by rows and columns', () => {
    const sheet = SheetModel.fromRows([{ email: 'a', age: 1 }], fields);
    paste(sheet, range(0, 1), '5\t007\t1.5\nsix\tx\t2');
    expect(sheet.toRows()).toEqual([
      { email: 'a', age: 5, 'column 3': '007', 'column 4': 1.5 },
      { age: 'six', 'column 3': 'x', 'column 4': 2 },
    ]);
    expect(sheet.columns.map(({ type }) => type)).toEqual(['string', 'number', 'string', 'number']);
    expect(pasteText(sheet, range(1, 1), { text: 'x\ty\nz' })?.range).toEqual(range(1, 1, 2, 2));
    sheet.undo();
    expect(sheet.toRows()).toEqual([{ email: 'a', age: 1 }]);
    expect(sheet.columns).toHaveLength(2);
  });

  it('goes by its first line where that names columns', () => {
    const sheet = new SheetModel(fields);
    paste(sheet, range(0, 0), 'age\tname\temail\n36\tAda\tada@example.org\n\tمحمد\t');
    expect(sheet.columns.map(({ name }) => name)).toEqual(['email', 'age', 'name']);
    expect(sheet.toRows()).toEqual([{ email: 'ada@example.org', age: 36, name: 'Ada' }, { name: 'محمد' }]);
    paste(sheet, range(2, 0), 'age\temail\n7\tb');
    expect(sheet.toRows()[2]).toEqual({ email: 'b', age: 7 });
    paste(sheet, range(0, 0), 'age');
    expect(sheet.toRows()[0]?.['email']).toBe('age');
  });

  it.each([
    ['email\tage\na\t1', 1],
    ['age\temail\n1\ta\n2\tb', 2],
    ['E-Mail\tage\na\t1', 1],
    ['email\tage\tphone\na\t1\t2', 1],
    ['email\na', 1],
    ['E-Mail\na', undefined],
    ['email\tsize\na\t1', undefined],
    ['email\tage', undefined],
    ['a@b.c\t36\nd@e.f\t41', undefined],
  ])('%j has a first line of column names in a sheet with rows: %s', (text, rows) => {
    const sheet = SheetModel.fromRows([{ email: 'x', age: 9 }], fields);
    expect(rowsBelowHeader(sheet, { text })).toBe(rows);
  });

  it('goes to the columns that its names resemble, and adds columns for the others', () => {
    const sheet = SheetModel.fromRows([{ email: 'x', age: 9 }], fields);
    paste(sheet, range(0, 0), 'Age\tPhone\tE-Mail\n5\t07\ta');
    expect(sheet.toRows()).toEqual([{ email: 'a', age: 5, Phone: '07' }]);
    const empty = new SheetModel(fields);
    paste(empty, range(0, 0), 'E-Mail address\tAGE\na\t5');
    expect(empty.toRows()).toEqual([{ email: 'a', age: 5 }]);
  });

  it('replaces all rows as one step, and rows of a run keep their numbers if there are as many', () => {
    const sheet = new SheetModel(fields);
    sheet.replace([{ email: 'x' }, { email: 'y', note: 'n' }], { numbers: [3, 7] });
    sheet.apply(replaceRows(sheet, { text: 'email\tage\na\t1\nb\t2' }));
    expect(sheet.toRows()).toEqual([
      { email: 'a', age: 1 },
      { email: 'b', age: 2 },
    ]);
    expect(sheet.runNumbers).toEqual([3, 7]);
    sheet.undo();
    expect(sheet.toRows()).toEqual([{ email: 'x' }, { email: 'y', note: 'n' }]);
    sheet.apply(replaceRows(sheet, { text: 'email\na\nb\nc' }));
    expect(sheet.rowCount).toBe(3);
    expect(sheet.runNumbers).toBeUndefined();
  });

  it('names the columns of a sheet that has none, or numbers them', () => {
    const named = new SheetModel();
    paste(named, range(0, 0), 'sku\tprice\tok\tparts\n007\t1.50\tTRUE\t[1]\n12\t3\tfalse\t[]');
    expect(named.toRows()).toEqual([
      { sku: '007', price: 1.5, ok: true, parts: [1] },
      { sku: '12', price: 3, ok: false, parts: [] },
    ]);
    const bare = new SheetModel();
    paste(bare, range(0, 0), '1\t2\n3\t4');
    expect(bare.toRows()).toEqual([
      { 'column 1': 1, 'column 2': 2 },
      { 'column 1': 3, 'column 2': 4 },
    ]);
  });

  it('fills a selection that it fits into a whole number of times', () => {
    const sheet = SheetModel.fromRows([{ a: 'x', b: 'x' }, { a: 'x' }, { a: 'x' }, { a: 'x' }]);
    paste(sheet, range(0, 0, 3, 1), '1\n2');
    expect(sheet.toRows()).toEqual([
      { a: '1', b: '1' },
      { a: '2', b: '2' },
      { a: '1', b: '1' },
      { a: '2', b: '2' },
    ]);
  });

  it('comes back as what was copied, with null, empty text and nesting', () => {
    const rows = [
      { a: null, b: '', c: { x: [1] }, d: '6' },
      { a: 1, b: 'tab\there', d: 6 },
    ];
    const sheet = SheetModel.fromRows(rows);
    const copied = copyCells(sheet, range(0, 0, 1, 3));
    expect(copied.text).toBe('\t\t{"x":[1]}\t6\n1\t"tab\there"\t\t6');
    sheet.apply(pasteText(sheet, range(2, 0), { text: copied.text, copied }));
    expect(sheet.toRows()).toEqual([...rows, ...rows]);
  });

  it('of 100,000 rows of five cells takes less than two seconds, and so does the way back', () => {
    const line = 'Ada Lovelace\tada@example.org\t36\ttrue\t["a","b"]';
    const text = Array.from({ length: 100_000 }, () => line).join('\n');
    const sheet = new SheetModel(fields);
    // Its own time, however busy the machine is.
    const start = process.cpuUsage();
    paste(sheet, range(0, 0), text);
    expect(sheet.rowCount).toBe(100_000);
    sheet.undo();
    expect(sheet.rowCount).toBe(0);
    const { user } = process.cpuUsage(start);
    expect(user / 1_000).toBeLessThan(2_000);
  });
});
