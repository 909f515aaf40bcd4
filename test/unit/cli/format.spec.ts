import { describe, expect, it } from 'vitest';
import { count, counted, duration, localTime, printable, table } from '../../../src-main/cli/format.ts';

describe('numbers and times', () => {
  it.each([
    [0, '0 ms'],
    [820.4, '820 ms'],
    [999.4, '999 ms'],
    [999.6, '1.0 s'],
    [1234, '1.2 s'],
    [59_949, '59.9 s'],
    [59_950, '1 m 00 s'],
    [184_000, '3 m 04 s'],
    [3_599_600, '1 h 00 m'],
    [7_500_000, '2 h 05 m'],
  ])('%d ms read as %s', (ms, words) => {
    expect(duration(ms)).toBe(words);
  });

  it('have separators and a plural', () => {
    expect([count(1234567), counted(1, 'row'), counted(2000, 'row'), counted(0, 'row')]).toEqual([
      '1,234,567',
      '1 row',
      '2,000 rows',
      '0 rows',
    ]);
  });

  it('are given in the time zone of the machine', () => {
    const local = new Date(2026, 10, 21, 8, 5, 9);
    expect(localTime(local.toISOString())).toBe('2026-11-21 08:05:09');
  });
});

describe('a table', () => {
  it('aligns its columns and leaves no blanks at the end of a line', () => {
    expect(
      table(
        ['ID', 'NAME'],
        [
          ['1', 'a'],
          ['long', ''],
        ],
      ),
    ).toBe('ID    NAME\n1     a\nlong\n');
  });

  it('lets no name steer the terminal or turn the text around', () => {
    expect(table(['A'], [['x\u001b[2Jy\u202ez\r\n']])).toBe('A\nx [2Jy z\n');
    expect(printable('a\u0007\u009bb')).toBe('a b');
  });
});
