import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textOfJson } from '../../../../src-main/base/json-value.ts';
import { columnKind, withColumnKinds } from '../../../../src-main/domain/rows/files/column-kinds.ts';

describe('a column of texts', () => {
  it.each([
    [['1', '-2.5', ''], 'number'],
    [[' 1', '2 '], 'number'],
    [['1.1234567890'], 'number'],
    [['123456789012345'], 'number'],
    [['1234567890123456'], 'string'],
    [['12345678901234567890'], 'string'],
    [['0.1234567890123456'], 'string'],
    [['007', '12'], 'string'],
    [['1e5'], 'string'],
    [['-0'], 'string'],
    [['+49 170', '1'], 'string'],
    [['1,5'], 'string'],
    [['1', 'x'], 'string'],
    [['true', 'FALSE', 'True'], 'boolean'],
    [['yes', 'no'], 'string'],
    [['1', '0'], 'number'],
    [['[1]', '[]'], 'array'],
    [['[1', '[]'], 'string'],
    [['{"a":1}'], 'object'],
    [['', ' '], 'string'],
    [[], 'string'],
  ])('with the cells %j has the type %s', (cells, kind) => {
    expect(columnKind(cells)).toBe(kind);
  });

  it('whose cells are numbers as JavaScript writes them is a number column without a lost digit', () => {
    const number = fc.oneof(fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true }));
    fc.assert(
      fc.property(number, (value) => {
        const text = String(value);
        const [row] = withColumnKinds([{ a: text }]);
        expect(textOfJson(row?.['a'] ?? null)).toBe(text);
      }),
    );
  });
});

describe('rows of texts', () => {
  it('get the values of their columns, null for an empty cell, and stay text elsewhere', () => {
    const rows = [
      { n: ' 1.50', ok: 'True', zip: '012', list: '[1]' },
      { n: '', ok: '', zip: '', list: '' },
    ];
    expect(withColumnKinds(rows)).toEqual([
      { n: 1.5, ok: true, zip: '012', list: [1] },
      { n: null, ok: null, zip: '', list: null },
    ]);
  });
});
