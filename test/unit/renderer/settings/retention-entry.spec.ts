import { describe, expect, it } from 'vitest';
import { retentionSchema } from '../../../../src-main/domain/settings.ts';
import {
  entryOf,
  isSameLimits,
  limitsOf,
  problemsOf,
} from '../../../../src-renderer/state/settings/retention-entry.ts';

const days = (text: string) => limitsOf({ days: text, gigabytes: '5' })?.days;
const gigabytes = (text: string) => limitsOf({ days: '30', gigabytes: text })?.gigabytes;

describe('limits of retention as a user types them', () => {
  it.each([
    ['1', 1],
    ['36500', 36_500],
    [' 1,000 ', 1000],
    ['36 500', 36_500],
    ['10 000', 10_000],
    ['30.0', 30],
  ])('%j days are %d', (text, value) => {
    expect(days(text)).toBe(value);
  });

  it.each([
    '',
    ' ',
    '0',
    '-1',
    '36501',
    '1.5',
    '1,5',
    '1,00',
    'x',
    '1e3',
    '0x10',
    'Infinity',
    '9'.repeat(400),
  ])('%j is not a number of days', (text) => {
    expect(days(text)).toBeUndefined();
  });

  it.each([
    ['0.1', 0.1],
    ['.5', 0.5],
    ['2.', 2],
    ['2.75', 2.75],
    ['1,000.5', 1000.5],
    ['100,000', 100_000],
  ])('%j GB are %d', (text, value) => {
    expect(gigabytes(text)).toBe(value);
  });

  it.each(['', '.', '0', '0.09', '-5', '100000.1', '2,5', '1,00', '1.2.3', '5 GB', '1e2', 'NaN'])(
    '%j is not a size',
    (text) => {
      expect(gigabytes(text)).toBeUndefined();
    },
  );

  it('the range of each field is the range that the server accepts', () => {
    for (const [min, max, field] of [
      [1, 36_500, 'days'],
      [0.1, 100_000, 'gigabytes'],
    ] as const) {
      for (const value of [min - 0.05, min, max, max + 1]) {
        const entry = { days: '30', gigabytes: '5', [field]: String(value) };
        const isAccepted = retentionSchema.safeParse({ days: 30, gigabytes: 5, [field]: value }).success;
        expect(limitsOf(entry) !== undefined, `${field} ${value}`).toBe(isAccepted);
      }
    }
  });

  it('the problem is named at the field that has it', () => {
    expect(problemsOf({ days: '30', gigabytes: '5' })).toEqual({ days: undefined, gigabytes: undefined });
    expect(problemsOf({ days: '1.5', gigabytes: '2,5' })).toEqual({
      days: 'Enter a whole number from 1 to 36,500.',
      gigabytes: 'Enter a number from 0.1 to 100,000.',
    });
  });

  it('stored limits are unchanged by being shown', () => {
    for (const limits of [
      { days: 30, gigabytes: 5 },
      { days: 36_500, gigabytes: 0.1 },
      { days: 1, gigabytes: 99_999.123_456 },
    ])
      expect(isSameLimits(limitsOf(entryOf(limits)), limits)).toBe(true);
  });

  it('limits that differ in one field are different', () => {
    expect(isSameLimits({ days: 30, gigabytes: 5 }, { days: 30, gigabytes: 5.5 })).toBe(false);
    expect(isSameLimits({ days: 31, gigabytes: 5 }, { days: 30, gigabytes: 5 })).toBe(false);
    expect(isSameLimits(undefined, { days: 30, gigabytes: 5 })).toBe(false);
  });
});
