import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellProblem } from '../../../../../src-renderer/state/entry/grid/cell-problem.ts';
import {
  cellText,
  cellKind,
  readCell,
  readPasted,
} from '../../../../../src-renderer/state/entry/grid/cell.ts';

const types = ['string', 'number', 'boolean', 'array', 'object', 'any'] as const;

describe('a cell', () => {
  it('shows every value of its type as a text that reads back as the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...types), (value, type) => {
        const cell = JSON.parse(JSON.stringify(value)) as Exclude<typeof value, undefined>;
        fc.pre(type === 'any' || cellKind(cell as never) === type);
        fc.pre(cell !== '' || type === 'any'); // in a column of text it is written by a verb
        expect(readCell(cellText(cell as never, type), type)).toEqual(cell);
      }),
      { numRuns: 1_000 },
    );
  });

  it('keeps every text that is typed, whatever its type', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.constantFrom(...types), (text, type) => {
        const cell = readCell(text, type);
        if (text.trim() === '') expect(cell === undefined || cell === text).toBe(true);
        else if (typeof cell === 'string' && type !== 'any') expect(cell).toBe(text);
        else expect(cell).not.toBeUndefined();
      }),
    );
  });

  it('reads by type, and any as JSON only beyond doubt', () => {
    expect(readCell(' 12.50 ', 'number')).toBe(12.5);
    expect(readCell('twelve', 'number')).toBe('twelve');
    expect(readCell('yes', 'boolean')).toBe(true);
    expect(readCell('null', 'number')).toBeNull();
    expect(readCell('null', 'string')).toBe('null');
    expect(readCell('', 'string')).toBeUndefined();
    const any = ['6', '007', '1e5', '"6"', 'true', '[1]', '{"a":1}', '[1', '12345678901234567890', '-0'];
    expect(any.map((text) => readCell(text, 'any'))).toEqual([
      6,
      '007',
      '1e5',
      '6',
      true,
      [1],
      { a: 1 },
      '[1',
      '12345678901234567890',
      '-0',
    ]);
    expect(['6', 'true', ''].map((text) => readPasted(text, 'any'))).toEqual(['6', 'true', undefined]);
  });

  it('tells missing, null, empty and mistyped apart, as the input node does', () => {
    const email = { type: 'string', isRequired: true } as const;
    expect(cellProblem(undefined, email)).toBe('is missing (required)');
    expect(cellProblem(null, email)).toBe('is null (required)');
    expect(cellProblem('', email)).toBeUndefined();
    expect(cellProblem(5, email)).toBe('is a number, not text');
    const optional = (type: (typeof types)[number]) => ({ type, isRequired: false });
    expect(cellProblem(null, optional('number'))).toBeUndefined();
    expect(cellProblem('twelve', optional('number'))).toBe('is not a number');
    expect(cellProblem('12', optional('number'))).toBe('is text, not a number');
    expect(cellProblem('[1', optional('array'))).toBe('is not a list written as JSON');
    expect(cellProblem({}, optional('array'))).toBe('is an object, not a list');
    expect(cellProblem({}, optional('any'))).toBeUndefined();
  });
});
