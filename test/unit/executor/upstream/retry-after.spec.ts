import { expect, it } from 'vitest';
import { retryAfter } from '../../../../src-main/executor/upstream/call.ts';

const now = Date.UTC(2026, 0, 2, 3, 4, 5);
const maxMs = 60_000;

it.each([
  ['1', 1000],
  [' 30 ', 30_000],
  ['60', 60_000],
  ['61', 60_000],
  ['99999999', 60_000],
  ['9'.repeat(400), 60_000],
  ['Fri, 02 Jan 2026 03:04:15 GMT', 10_000],
  ['Friday, 02-Jan-26 03:04:15 GMT', 10_000],
  ['Wed, 01 Jan 2999 00:00:00 GMT', 60_000],
])('%s asks for %i ms', (value, ms) => {
  expect(retryAfter(value, now, maxMs)).toBe(ms);
});

it.each([
  '',
  '0',
  '-1',
  '1.5',
  '1e3',
  'abc',
  'NaN',
  'Infinity',
  '0x10',
  'Thu, 01 Jan 1970 00:00:00 GMT',
  'Fri, nonsense',
])('"%s" asks for nothing', (value) => {
  expect(retryAfter(value, now, maxMs)).toBeUndefined();
});

it('no header asks for nothing', () => {
  expect(retryAfter(undefined, now, maxMs)).toBeUndefined();
});
