import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  decodeRowNumbers,
  encodeRowNumbers,
  rowNumberAt,
  rowNumberBytes,
} from '../../../../src-main/domain/run/row-numbers.ts';

it('a row goes by its position', () => {
  expect(rowNumberAt({ firstRow: 7 }, 2)).toBe(9);
});

it('a row that was given a number goes by that', () => {
  expect(rowNumberAt({ firstRow: 1, numbers: [4, 9] }, 1)).toBe(9);
});

it('stored numbers come back, whatever slice of them is read', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(0xffff_ffff)), fc.nat(), (numbers, from) => {
      const bytes = encodeRowNumbers(numbers);
      expect(bytes.length).toBe(numbers.length * rowNumberBytes);
      expect(decodeRowNumbers(bytes.subarray(from * rowNumberBytes))).toEqual(numbers.slice(from));
    }),
  );
});
