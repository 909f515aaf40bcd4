import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  mapCell,
  mappedLine,
  mapRow,
  renameRow,
  type ColumnRepair,
  type MappedColumn,
} from '../../../../src-main/domain/rows/files/map-columns.ts';
import type { CellType } from '../../../../src-main/domain/rows/typed-cell.ts';

const column = (name: string, type: CellType, repairs: readonly ColumnRepair[] = []): MappedColumn => ({
  name,
  target: name,
  type,
  repairs,
});

describe('a cell of a mapped column', () => {
  it.each<[string, CellType, readonly ColumnRepair[], unknown]>([
    ['1.234,50', 'number', [], '1.234,50'],
    ['1.234,50', 'number', [{ kind: 'numbers' }], 1234.5],
    ['1,234', 'number', [{ kind: 'numbers' }], '1,234'],
    ['1,234', 'number', [{ kind: 'numbers', decimal: '.' }], 1234],
    ['1,234', 'number', [{ kind: 'numbers', decimal: ',' }], 1.234],
    ['1.234', 'number', [{ kind: 'numbers', decimal: ',' }], 1234],
    ['4152.07', 'number', [{ kind: 'numbers', decimal: ',' }], 4152.07],
    ['5 €', 'number', [{ kind: 'numbers', unit: '€' }], 5],
    ['5 $', 'number', [{ kind: 'numbers', unit: '€' }], '5 $'],
    ['(1 234)', 'number', [{ kind: 'numbers' }], -1234],
    ['12345678901234567890', 'number', [{ kind: 'numbers' }], '12345678901234567890'],
    ['31.12.2025', 'string', [{ kind: 'dates' }], '2025-12-31'],
    ['03/04/2025', 'string', [{ kind: 'dates' }], '03/04/2025'],
    ['03/04/2025', 'string', [{ kind: 'dates', order: 'mdy' }], '2025-03-04'],
    ['k.A.', 'number', [{ kind: 'absent' }], undefined],
    ['k.A.', 'number', [], 'k.A.'],
    [' Ada ', 'string', [{ kind: 'trim' }], 'Ada'],
    ['  ', 'string', [{ kind: 'trim' }], undefined],
    ['', 'string', [], undefined],
  ])('%j of type %s with %j is %j', (cell, type, repairs, value) => {
    expect(mapCell(cell, { type, repairs })).toBe(value);
  });

  it('that is no text gets the type of its field where it fits', () => {
    const cells = { zip: 7, n: '12', other: 5, when: true };
    const columns = [column('zip', 'string'), column('n', 'number'), column('other', 'any')];
    expect(mapRow(cells, [...columns, column('when', 'number')])).toEqual({
      zip: '7',
      n: 12,
      other: 5,
      when: true,
    });
  });

  it('never loses a text that nothing repairs', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 8 }), (cell) => {
        expect(mapCell(cell, { type: 'string', repairs: [] })).toBe(cell);
      }),
    );
  });
});

describe('a mapped row', () => {
  it('has the names of the columns, without those that are left out', () => {
    const columns = [
      { ...column('Full name', 'string'), target: 'name' },
      { ...column('Notes', 'string'), target: undefined },
      column('__proto__', 'number'),
    ];
    const row = JSON.parse('{"Full name":"Ada","Notes":"x","__proto__":"1"}') as { [name: string]: string };
    expect(JSON.stringify(mapRow(row, columns))).toBe('{"name":"Ada","__proto__":1}');
  });

  it('as a line has its columns in their order, whatever their names are', () => {
    const columns = ['name', '2016', '2015', 'toString'].map((name) => column(name, 'string'));
    const row = JSON.parse('{"name":"Ada","2016":"1","2015":"2"}') as { [name: string]: string };
    expect(mappedLine(row, columns)).toBe('{"name":"Ada","2016":"1","2015":"2"}');
  });

  it('of JSON only changes its names', () => {
    const columns = [{ ...column('n', 'string'), target: 'm' }, column('more', 'string')];
    expect(renameRow({ n: '', more: null }, columns)).toEqual({ m: '', more: null });
    expect(renameRow({ more: [] }, columns)).toEqual({ more: [] });
  });
});
