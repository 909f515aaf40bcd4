import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellPreview } from '../../../../../src-renderer/state/entry/grid/cell-preview.ts';
import { nestedText, readNested } from '../../../../../src-renderer/state/entry/grid/nested-text.ts';

describe('a nested value as text', () => {
  it('reads back as the value that it shows', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const cell = JSON.parse(JSON.stringify(value)) as never;
        fc.pre(typeof cell === 'object' && cell !== null);
        expect(readNested(nestedText(cell, 'any'), 'any')).toEqual({ cell });
      }),
    );
  });

  it('says where and why it cannot be read', () => {
    expect(readNested('', 'array')).toEqual({ cell: undefined });
    expect(readNested('null', 'array')).toEqual({ cell: null });
    expect(readNested('[1,\n 2', 'array')).toEqual({
      problem: 'Line 2, column 3: expected "," or "]", found the end',
    });
    expect(readNested('{"a":1}', 'array')).toEqual({ problem: 'The value is an object, not a list.' });
    expect(readNested('"a"', 'object')).toEqual({ problem: 'The value is not an object written as JSON.' });
    expect(readNested('['.repeat(98) + ']'.repeat(98), 'array')).toEqual({
      problem: 'The value is nested deeper than 97 levels.',
    });
  });

  it('refuses a number that no double holds, which would become null', () => {
    expect(readNested('[1e400]', 'array')).toEqual({
      problem: 'The value holds a number that is too large.',
    });
  });

  it('is told of in a cell by its size, and a long text by its beginning', () => {
    expect(cellPreview([1, 2], 'array').text).toBe('2 items');
    expect(cellPreview({ a: 1 }, 'any').text).toBe('1 field');
    expect(cellPreview('x'.repeat(1_000_000), 'string').text).toHaveLength(300);
    expect([undefined, null, '', '6'].map((cell) => cellPreview(cell, 'any').text)).toEqual([
      '',
      'null',
      'empty text',
      '"6"',
    ]);
  });
});
