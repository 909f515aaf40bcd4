import { describe, expect, it } from 'vitest';
import { timeOf } from '../../../src-main/cli/options/run-filter-options.ts';

const now = Date.parse('2026-03-10T12:00:00.000Z');

describe('a time on the command line', () => {
  it.each([
    ['30m', '2026-03-10T11:30:00.000Z'],
    ['2h', '2026-03-10T10:00:00.000Z'],
    ['7d', '2026-03-03T12:00:00.000Z'],
    ['2026-03-01T10:00:00Z', '2026-03-01T10:00:00.000Z'],
    ['2026-03-01T10:00:00+02:00', '2026-03-01T08:00:00.000Z'],
  ])('%s is %s', (text, time) => {
    expect(timeOf(text, now)).toBe(time);
  });

  it("a day begins at this machine's midnight", () => {
    expect(timeOf('2026-03-01', now)).toBe(new Date(2026, 2, 1).toISOString());
  });

  it.each(['yesterday', '2x', '', 'March 3, 2026', '2026-13-01'])('%j is none', (text) => {
    expect(() => timeOf(text, now)).toThrow('is no time');
  });
});
