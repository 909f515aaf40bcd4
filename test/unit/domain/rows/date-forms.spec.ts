import { describe, expect, it } from 'vitest';
import { isAbsentMark } from '../../../../src-main/domain/rows/files/absent-marks.ts';
import { dateOrdersOf, isoDate } from '../../../../src-main/domain/rows/files/date-forms.ts';

describe('the ISO form of a date', () => {
  it.each([
    ['31.12.2025', 'dmy', '2025-12-31'],
    ['1.2.2025', 'dmy', '2025-02-01'],
    ['03/04/2025', 'dmy', '2025-04-03'],
    ['03/04/2025', 'mdy', '2025-03-04'],
    ['2025/4/3', 'ymd', '2025-04-03'],
    ['2025-04-03', 'ymd', '2025-04-03'],
    ['31.12.2025 14:30', 'dmy', '2025-12-31T14:30:00'],
    ['12/31/2025, 2:05:09 pm', 'mdy', '2025-12-31T14:05:09'],
    ['12/31/2025 12:00 AM', 'mdy', '2025-12-31T00:00:00'],
  ] as const)('of %j in the order %s is %s', (text, order, iso) => {
    expect(isoDate(text, order)).toBe(iso);
  });

  it.each([
    ['30.02.2025', 'dmy'],
    ['12/31/2025', 'dmy'],
    ['31/12/2025', 'mdy'],
    ['03.04.2025', 'mdy'],
    ['31.12.25', 'dmy'],
    ['31.12-2025', 'dmy'],
    ['31.12.2025 25:00', 'dmy'],
    ['31.12.2025 soon', 'dmy'],
    ['1234', 'ymd'],
  ] as const)('does not exist for %j in the order %s', (text, order) => {
    expect(isoDate(text, order)).toBeUndefined();
  });

  it('needs a choice where day and month could be either', () => {
    expect(dateOrdersOf('03/04/2025')).toEqual(['dmy', 'mdy']);
    expect(dateOrdersOf('13/04/2025')).toEqual(['dmy']);
    expect(dateOrdersOf('2025-04-03')).toEqual(['ymd']);
    expect(dateOrdersOf('k.A.')).toEqual([]);
  });
});

describe('a mark of a missing value', () => {
  it('is told from a value', () => {
    expect(['n/a', 'k.A.', '-', 'NULL', ' #N/A '].every(isAbsentMark)).toBe(true);
    expect(['Ada', '0', '', 'no', 'nat'].some(isAbsentMark)).toBe(false);
  });
});
