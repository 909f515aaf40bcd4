import { describe, expect, it } from 'vitest';
import { readEditedRows } from '../../../src-main/services/edited-rows.ts';

const textOf = (lines: string): string =>
  readEditedRows({ lines })
    .map(({ bytes }) => Buffer.from(bytes).toString())
    .join('');

describe('edited rows', () => {
  it('are taken as they are written, blank lines left out', () => {
    expect(textOf('{"__proto__": {"a":1}}\n\n{"b":2}')).toBe('{"__proto__": {"a":1}}\n{"b":2}\n');
  });

  it.each(['[1]', '{"a":1', '7'])('cannot be %j', (lines) => {
    expect(() => textOf(lines)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });

  it('go by the numbers given', () => {
    expect(readEditedRows({ lines: '{}\n{}', numbers: [3, 9] })[0]?.numbers).toEqual([3, 9]);
  });

  it.each([
    [[3], '1 numbers were given for 2 rows'],
    [[3, 3], '3 comes after 3'],
    [[9, 3], '3 comes after 9'],
  ])('refuse the numbers %j', (numbers, problem) => {
    expect(() => readEditedRows({ lines: '{}\n{}', numbers })).toThrow(problem);
  });
});
