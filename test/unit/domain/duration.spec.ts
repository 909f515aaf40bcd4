import { describe, expect, it } from 'vitest';
import { parseDuration } from '../../../src-main/domain/duration.ts';

describe('a duration', () => {
  it.each([
    ['0ms', 0],
    ['400ms', 400],
    ['2s', 2000],
    ['1.5m', 90_000],
    ['1h', 3_600_000],
    ['0.125s', 125],
  ])('%s is %d ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each([
    '',
    '5',
    's',
    '5 s',
    ' 5s',
    '5S',
    '-5s',
    '1e3s',
    '1.2345s',
    '.5s',
    '5s5ms',
    '5d',
    '9999999999ms',
    '５s',
  ])('is not read from %j', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });
});
