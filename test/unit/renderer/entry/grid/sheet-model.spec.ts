import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellProblem } from '../../../../../src-renderer/state/entry/grid/cell-problem.ts';
import * as columnEdits from '../../../../../src-renderer/state/entry/grid/column-edits.ts';
import { pasteText } from '../../../../../src-renderer/state/entry/grid/paste.ts';
import * as rowEdits from '../../../../../src-renderer/state/entry/grid/row-edits.ts';
import type { CellRange } from '../../../../../src-renderer/state/entry/grid/sheet-change.ts';
import type { InputField } from '../../../../../src-renderer/state/entry/grid/sheet-columns.ts';
import { causeRows } from '../../../../../src-renderer/state/entry/grid/sheet-problems.ts';
import { SheetModel } from '../../../../../src-renderer/state/entry/grid/sheet-model.ts';

const fields: readonly InputField[] = [
  { name: 'email', type: 'string', required: true },
  { name: 'age', type: 'number', required: false },
  { name: 'tags', type: 'array', required: false },
];
const range = (top: number, left: number, bottom = top, right = left): CellRange => ({
  top,
  bottom,
  left,
  right,
});
const namesOf = (sheet: SheetModel) => sheet.columns.map(({ name }) => name);

describe('a sheet', () => {
  it('begins with a column for each field, and names what is missing by row', () => {
    const sheet = new SheetModel(fields);
    expect(namesOf(sheet)).toEqual(['email', 'age', 'tags']);
    sheet.apply(rowEdits.setCell(sheet, { row: 0, column: 1 }, 'old'));
    expect(sheet.toRows()).toEqual([{ age: 'old' }]);
    expect(sheet.problemCount).toBe(2);
    expect(sheet.problemCauses).toEqual([
      { text: 'email is missing (required)', column: 0, rows: [0], values: [] },
      { text: 'age is not a number', column: 1, rows: [0], values: ['old'] },
    ]);
  });

  it('lists problems by cause, those of most rows first, with some of the values', () => {
    const ages = ['1,5', '1,5', 'k.A.', 'n/a', '7 years', 3];
    const sheet = SheetModel.fromRows(
      ages.map((age, row) => (row === 0 ? { age } : { email: 'a', age })),
      [
        { name: 'email', type: 'string', required: true },
        { name: 'age', type: 'number', required: false },
      ],
    );
    expect(sheet.problemCauses.map(({ text, rows }) => [text, rows])).toEqual([
      ['age is not a number', [0, 1, 2, 3, 4]],
      ['email is missing (required)', [0]],
    ]);
    expect(sheet.problemCauses.map((cause) => causeRows(cause, (row) => row + 1))).toEqual([
      '5 rows, such as 1,5, k.A. or n/a',
      'row 1',
    ]);
  });

  it('gives rows back as they came: nested, null, empty, missing and names out of the ordinary', () => {
    const rows = [
      JSON.parse('{"__proto__":{"a":1},"toString":"x","b":null}') as { b: null },
      { b: '', deep: { list: [1, [2]] } },
      {},
    ];
    const sheet = SheetModel.fromRows(rows, fields);
    expect(JSON.stringify(sheet.toRows())).toBe(JSON.stringify(rows));
    expect(sheet.columns.filter(({ isUnknown }) => isUnknown)).toHaveLength(4);
    fc.assert(
      fc.property(fc.array(fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true })), (rows) => {
        const expected = JSON.parse(JSON.stringify(rows)) as typeof rows;
        expect(SheetModel.fromRows(expected as never, fields).toRows()).toEqual(expected);
      }),
    );
  });

  it('gives a renamed column the place of an empty column of that name, as one step', () => {
    const sheet = SheetModel.fromRows([{ 'Full name': 'Ada', email: 'a@b.c', years: '36' }], fields);
    sheet.apply(columnEdits.changeColumn(sheet, 2, { name: 'age', type: 'number' }));
    expect(namesOf(sheet)).toEqual(['Full name', 'email', 'age', 'tags']);
    expect(sheet.toRows()).toEqual([{ 'Full name': 'Ada', email: 'a@b.c', age: 36 }]);
    expect(columnEdits.nameProblem(sheet, 0, 'email')).toBe('Another column is named "email".');
    expect(columnEdits.changeColumn(sheet, 0, { name: 'email', type: 'string' })).toBeUndefined();
    sheet.undo();
    expect(namesOf(sheet)).toEqual(['Full name', 'email', 'years', 'age', 'tags']);
    expect(sheet.toRows()).toEqual([{ 'Full name': 'Ada', email: 'a@b.c', years: '36' }]);
  });

  it('says once that no row has a required field whose column is gone', () => {
    const sheet = SheetModel.fromRows([{ age: 1 }, { age: 2 }], fields);
    expect(sheet.problemCount).toBe(2);
    sheet.apply(columnEdits.removeColumns(sheet, range(0, namesOf(sheet).indexOf('email'))));
    expect(sheet.problemCauses.map(({ text }) => text)).toEqual(['no row has email (required)']);
  });

  it('shows the numbers of an earlier run as long as a rerun keeps them, and positions otherwise', () => {
    const sheet = new SheetModel(fields);
    const numbers = () => sheet.rows.map((_, row) => sheet.numberOf(row));
    sheet.replace([{ email: 'b' }, { email: 'a' }, { email: 'c' }], { numbers: [3, 17, 40] });
    sheet.apply(rowEdits.removeRows(sheet, range(2, 0)));
    sheet.apply(rowEdits.setCell(sheet, { row: 0, column: 1 }, 5));
    expect(numbers()).toEqual([3, 17]);
    sheet.apply(rowEdits.insertRows(sheet, 2, 1));
    expect(numbers()).toEqual([1, 2, 3]);
    expect(sheet.problemCauses).toEqual([
      { text: 'email is missing (required)', column: 0, rows: [2], values: [] },
    ]);
    sheet.undo();
    sheet.apply(rowEdits.sortRows(sheet, 0, 'up'));
    expect(numbers()).toEqual([1, 2]);
    expect(sheet.rows.map(({ origin }) => origin)).toEqual([17, 3]);
  });

  it('follows the fields of the input node when its file changes', () => {
    const sheet = SheetModel.fromRows([{ email: 'a', age: '5' }], []);
    expect(sheet.problemCount).toBe(0);
    sheet.setFields(fields);
    expect(namesOf(sheet)).toEqual(['email', 'age', 'tags']);
    expect(sheet.problemCauses.map(({ text }) => text)).toEqual(['age is text, not a number']);
    expect(sheet.canUndo).toBe(false);
  });

  it('names a new column by the first number that is free, and refuses a name that is taken', () => {
    const sheet = SheetModel.fromRows([{ 'column 2': 1 }]);
    sheet.apply(columnEdits.insertColumn(sheet, 0));
    expect(namesOf(sheet)).toEqual(['column 3', 'column 2']);
    sheet.apply(columnEdits.changeColumn(sheet, 0, { name: 'column 2', type: 'string' }));
    expect(namesOf(sheet)).toEqual(['column 3', 'column 2']);
    expect(columnEdits.nameProblem(sheet, 0, 'column 2')).toBe('Another column is named "column 2".');
    expect(columnEdits.nameProblem(sheet, 0, '')).toBe('A column needs a name.');
  });

  it('reads the cells again when their column gets another type, and loses none', () => {
    const sheet = SheetModel.fromRows([{ n: '5' }, { n: 'five' }, { n: '' }, { n: null }, {}]);
    sheet.apply(columnEdits.changeColumn(sheet, 0, { name: 'n', type: 'number' }));
    expect(sheet.toRows()).toEqual([{ n: 5 }, { n: 'five' }, { n: '' }, { n: null }, {}]);
    sheet.apply(columnEdits.changeColumn(sheet, 0, { name: 'n', type: 'string' }));
    expect(sheet.toRows()).toEqual([{ n: '5' }, { n: 'five' }, { n: '' }, { n: null }, {}]);
  });

  it('takes the first row for names, as far as it names', () => {
    const sheet = SheetModel.fromRows([{ a: 'email', b: 'email', c: { x: 1 }, d: 7 }, { a: 'x' }]);
    sheet.apply(columnEdits.firstRowAsNames(sheet));
    expect(namesOf(sheet)).toEqual(['email', 'b', 'c', '7']);
    expect(sheet.rowCount).toBe(1);
  });

  it('moves rows and columns within its bounds alone', () => {
    const sheet = SheetModel.fromRows([{ a: 1, b: 1, c: 1 }, { a: 2 }, { a: 3 }]);
    sheet.apply(rowEdits.moveRows(sheet, range(0, 0, 1), 1));
    expect(sheet.toRows().map(({ a }) => a)).toEqual([3, 1, 2]);
    expect(rowEdits.moveRows(sheet, range(1, 0, 2), 1)).toBeUndefined();
    sheet.apply(columnEdits.moveColumns(sheet, range(0, 1, 0, 2), -1));
    expect(namesOf(sheet)).toEqual(['b', 'c', 'a']);
    expect(columnEdits.moveColumns(sheet, range(0, 0), -1)).toBeUndefined();
  });

  it('fills down, and repeats a block in the direction that it is dragged', () => {
    const sheet = SheetModel.fromRows([{ a: 1 }, { a: 2 }, {}, {}, {}]);
    sheet.apply(rowEdits.fillCells(sheet, range(0, 0, 1), range(0, 0, 4)));
    expect(sheet.toRows().map(({ a }) => a)).toEqual([1, 2, 1, 2, 1]);
    sheet.apply(rowEdits.fillDown(sheet, range(1, 0, 3)));
    expect(sheet.toRows().map(({ a }) => a)).toEqual([1, 2, 2, 2, 1]);
    sheet.apply(rowEdits.fillDown(sheet, range(4, 0)));
    expect(sheet.toRows().map(({ a }) => a)).toEqual([1, 2, 2, 2, 2]);
  });

  it('sorts by kind and value, with rows without a value last in both directions', () => {
    const sheet = SheetModel.fromRows([{}, { a: 'row 10' }, { a: 'row 9' }, { a: 3 }, { a: null }]);
    sheet.apply(rowEdits.sortRows(sheet, 0, 'up'));
    expect(sheet.toRows().map(({ a }) => a)).toEqual([3, 'row 9', 'row 10', null, undefined]);
    sheet.apply(rowEdits.sortRows(sheet, 0, 'down'));
    expect(sheet.toRows().map(({ a }) => a)).toEqual([null, 'row 10', 'row 9', 3, undefined]);
  });
});

type Edit = (sheet: SheetModel) => void;
const index = fc.nat({ max: 6 });
const area = fc
  .tuple(index, index, index, index)
  .map(([a, b, c, d]) => range(Math.min(a, b), Math.min(c, d), Math.max(a, b), Math.max(c, d)));
const cell = fc.constantFrom(undefined, null, '', 'x', 5, true, [1], { a: 1 });
const edits: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(area, cell).map(
    ([to, value]): Edit =>
      (s) =>
        s.apply(rowEdits.setCells(s, to, value)),
  ),
  fc.tuple(index, index, cell).map(
    ([row, column, value]): Edit =>
      (s) =>
        s.apply(rowEdits.setCell(s, { row: Math.min(row, s.rowCount), column }, value)),
  ),
  area.map(
    (to): Edit =>
      (s) =>
        s.apply(rowEdits.fillDown(s, to)),
  ),
  area.map(
    (to): Edit =>
      (s) =>
        s.apply(rowEdits.removeRows(s, to)),
  ),
  area.map(
    (to): Edit =>
      (s) =>
        s.apply(columnEdits.removeColumns(s, to)),
  ),
  index.map(
    (at): Edit =>
      (s) =>
        s.apply(columnEdits.insertColumn(s, Math.min(at, s.columns.length))),
  ),
  index.map(
    (at): Edit =>
      (s) =>
        s.apply(rowEdits.insertRows(s, Math.min(at, s.rowCount), 2)),
  ),
  fc.tuple(area, fc.integer({ min: -3, max: 3 })).map(([to, by]): Edit => (s) => {
    s.apply(rowEdits.moveRows(s, to, by));
    s.apply(columnEdits.moveColumns(s, to, by));
  }),
  fc.tuple(index, fc.constantFrom('number', 'string', 'any', 'object')).map(
    ([at, type]): Edit =>
      (s) =>
        s.apply(columnEdits.changeColumn(s, at, { name: 'new', type })),
  ),
  index.map(
    (at): Edit =>
      (s) =>
        s.apply(rowEdits.sortRows(s, at, 'up')),
  ),
  area.map(
    (to): Edit =>
      (s) =>
        s.apply(pasteText(s, { ...to, top: Math.min(to.top, s.rowCount) }, { text: 'a\t1\nb\t2' })),
  ),
  fc.constant<Edit>((s) => s.apply(columnEdits.firstRowAsNames(s))),
  fc.constant<Edit>((s) => s.replace([{ email: 'new', z: 1 }])),
);

const stateOf = (sheet: SheetModel) => JSON.stringify([sheet.columns, sheet.toRows(), sheet.problemCauses]);

describe('the history', () => {
  it('takes every edit back to the very sheet before it, and does it again', () => {
    fc.assert(
      fc.property(fc.array(edits, { maxLength: 12 }), (all) => {
        const sheet = SheetModel.fromRows(
          [{ email: 'a', age: 1 }, { email: 'b', tags: [1] }, { age: 'x' }],
          fields,
        );
        const states = [stateOf(sheet)];
        for (const edit of all) {
          const couldUndo = sheet.canUndo ? stateOf(sheet) : undefined;
          edit(sheet);
          if (stateOf(sheet) !== couldUndo) states.push(stateOf(sheet));
        }
        const end = stateOf(sheet);
        while (sheet.canUndo) sheet.undo();
        expect(stateOf(sheet)).toBe(states[0]);
        while (sheet.canRedo) sheet.redo();
        expect(stateOf(sheet)).toBe(end);
      }),
      { numRuns: 300 },
    );
  });

  it('counts the problems of exactly the cells that there are, whatever was edited', () => {
    fc.assert(
      fc.property(fc.array(edits, { maxLength: 12 }), (all) => {
        const sheet = SheetModel.fromRows([{ email: 'a' }, { age: 'x' }], fields);
        for (const edit of all) edit(sheet);
        sheet.undo();
        const names = new Set(namesOf(sheet));
        const absent = sheet.rowCount > 0 && !names.has('email') ? 1 : 0;
        const inCells = sheet.rows.flatMap(({ cells }) =>
          sheet.columns.filter((column) => cellProblem(cells[column.slot], column) !== undefined),
        );
        expect(sheet.problemCount).toBe(inCells.length + absent);
        expect(names.size).toBe(sheet.columns.length);
      }),
      { numRuns: 300 },
    );
  });

  it('forgets the oldest steps before it holds too much', () => {
    const sheet = SheetModel.fromRows([{ a: '' }]);
    for (let n = 0; n < 30; n += 1) {
      sheet.apply(rowEdits.setCell(sheet, { row: 0, column: 0 }, String(n).repeat(4_000_000)));
    }
    let steps = 0;
    while (sheet.undo() !== undefined) steps += 1;
    expect(steps).toBeGreaterThan(2);
    expect(steps).toBeLessThan(20);
  });

  it('tells who watches after every change', () => {
    const sheet = new SheetModel(fields);
    let heard = 0;
    const stop = sheet.onChange(() => (heard += 1));
    sheet.apply(rowEdits.insertRows(sheet, 0, 1));
    sheet.undo();
    sheet.redo();
    sheet.apply(rowEdits.setCell(sheet, { row: 0, column: 0 }, undefined));
    expect(heard).toBe(3);
    stop();
    sheet.undo();
    expect(heard).toBe(3);
  });
});
