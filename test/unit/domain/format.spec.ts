import { describe, expect, it } from 'vitest';
import {
  byteSize,
  clockTime,
  count,
  counted,
  duration,
  fineDuration,
  localTime,
  relativeTime,
  sentence,
  shortId,
} from '../../../src-main/domain/format.ts';

describe('the format of numbers and times', () => {
  it.each([
    [-5, '0 ms'],
    [0.4, '0 ms'],
    [999.4, '999 ms'],
    [999.6, '1.0 s'],
    [1_200, '1.2 s'],
    [59_949, '59.9 s'],
    [59_950, '1 m 00 s'],
    [184_000, '3 m 04 s'],
    [3_599_600, '1 h 00 m'],
    [7_500_000, '2 h 05 m'],
    [273_600_000, '3 d 04 h'],
  ])('a duration of %d ms is %s', (ms, text) => {
    expect(duration(ms)).toBe(text);
  });

  it('a fine duration shows microseconds', () => {
    expect([0, 0.0002, 0.04, 0.9996, 2.34, 9.96, 212, 61_000].map(fineDuration)).toEqual([
      '0 µs',
      '<1 µs',
      '40 µs',
      '1.0 ms',
      '2.3 ms',
      '10 ms',
      '212 ms',
      '1 m 01 s',
    ]);
  });

  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [12_345, '12.3 KB'],
    [999_960, '1.0 MB'],
    [4_100_000_000, '4.1 GB'],
  ])('a size of %d bytes is %s', (bytes, text) => {
    expect(byteSize(bytes)).toBe(text);
  });

  it('a count has separators and the right plural', () => {
    expect([count(1204), counted(1, 'row'), counted(1204, 'row')]).toEqual(['1,204', '1 row', '1,204 rows']);
  });

  const start = '2026-03-01T12:00:00.000Z';
  it.each([
    [-60_000, 'just now'],
    [4_000, 'just now'],
    [12_000, '12 s ago'],
    [5 * 60_000, '5 min ago'],
    [3 * 3_600_000, '3 h ago'],
    [30 * 3_600_000, 'yesterday'],
    [72 * 3_600_000, localTime(start).slice(0, 10)],
  ])('a time %d ms ago is %s', (ms, text) => {
    expect(relativeTime(start, Date.parse(start) + ms)).toBe(text);
  });

  it('a local time is in the time zone of the machine', () => {
    const time = new Date(2026, 10, 21, 8, 5, 9, 42);
    expect(localTime(time.toISOString())).toBe('2026-11-21 08:05:09');
    expect(clockTime(time.getTime())).toBe('08:05:09.042');
  });

  it('a sentence ends with one mark', () => {
    expect(['It ended', 'Why?', 'It ended.'].map(sentence)).toEqual(['It ended.', 'Why?', 'It ended.']);
  });

  it('a short id is the end of a long one', () => {
    expect([shortId('01a1fdd6-fdb4-71ea-af6c-31840694224f'), shortId('r1')]).toEqual(['…0694224f', 'r1']);
  });
});
