import { describe, expect, it } from 'vitest';
import { count, counted } from '../../../src-renderer/format/count.ts';
import { duration } from '../../../src-renderer/format/duration.ts';
import { exactTime, relativeTime } from '../../../src-renderer/format/relative-time.ts';
import { shortId } from '../../../src-renderer/format/short-id.ts';

describe('words for numbers and times', () => {
  it.each([
    [-5, '0 ms'],
    [0.4, '0 ms'],
    [999, '999 ms'],
    [1_200, '1.2 s'],
    [59_949, '59.9 s'],
    [59_950, '1 m 00 s'],
    [184_000, '3 m 04 s'],
    [3_599_600, '1 h 00 m'],
    [7_500_000, '2 h 05 m'],
    [273_600_000, '3 d 04 h'],
  ])('%d ms is %s', (ms, text) => {
    expect(duration(ms)).toBe(text);
  });

  it('counts with separators and in the right number', () => {
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
    [72 * 3_600_000, exactTime(start).slice(0, 10)],
  ])('%d ms later is %s', (ms, text) => {
    expect(relativeTime(start, Date.parse(start) + ms)).toBe(text);
  });

  it('shortens ids to their end', () => {
    expect([shortId('01a1fdd6-fdb4-71ea-af6c-31840694224f'), shortId('r1')]).toEqual(['…0694224f', 'r1']);
  });
});
