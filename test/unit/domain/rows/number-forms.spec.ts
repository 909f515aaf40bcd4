import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { numberForm, plainNumber } from '../../../../src-main/domain/rows/files/number-forms.ts';

describe('the plain form of a number', () => {
  it.each([
    ['1.234,50', ',', '1234.50'],
    ['7747,38', ',', '7747.38'],
    ['1 234 567,8', ',', '1234567.8'],
    ["1'234.50", '.', '1234.50'],
    ['1,234.50', '.', '1234.50'],
    ['1,234', '.', '1234'],
    ['1,234', ',', '1.234'],
    ['€ 1.234,50', ',', '1234.50'],
    ['1.234,50 EUR', ',', '1234.50'],
    ['-$5.20', '.', '-5.20'],
    ['$-5.20', '.', '-5.20'],
    ['(30)', '.', '-30'],
    ['(1.234,50 €)', ',', '-1234.50'],
    ['\u22127,5', ',', '-7.5'],
    ['12 %', '.', '12'],
    [',5', ',', '0.5'],
    [' 12 ', ',', '12'],
    ['007', '.', '007'],
  ] as const)('of %j with "%s" before decimals is %s', (text, mark, plain) => {
    expect(plainNumber(text, mark)).toBe(plain);
  });

  it.each([
    ['1.234,50', '.'],
    ['1.5', ','],
    ['12.34.567', '.'],
    ['1.234.56', ','],
    ['1 234.567', ','],
    ['12-', ','],
    ['--5', '.'],
    ['(-5)', '.'],
    ['12 ABC', '.'],
    ['$ 5 €', '.'],
    ['1e5', '.'],
    ['k.A.', ','],
    ['.', '.'],
    ['', '.'],
    ['31.12.2025', ','],
  ] as const)('does not exist for %j with "%s" before decimals', (text, mark) => {
    expect(plainNumber(text, mark)).toBeUndefined();
  });

  it.each([
    ['1234', 'none', '', ''],
    ['1.234.567', ',', '.', ''],
    ['1 234', 'none', ' ', ''],
    ['1,234', 'either', '', ''],
    ["1'234.50", '.', "'", ''],
    ['1.234,50 €', ',', '.', '€'],
    ['EUR 5', 'none', '', 'EUR'],
    ['7 %', 'none', '', '%'],
  ])('of %j has decimal mark %s, group %j and unit %j', (text, decimal, group, unit) => {
    expect(numberForm(text)).toEqual({ decimal, group, unit, isBracketed: false });
  });

  it('says if a number is in brackets', () => {
    expect(numberForm('(30)')).toEqual({ decimal: 'none', group: '', unit: '', isBracketed: true });
    expect(numberForm('Ada')).toBeUndefined();
  });

  it('keeps the value of every number that is written in the German way', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), fc.integer({ min: 0, max: 99 }), (whole, cents) => {
        const value = Number(`${whole}.${String(cents).padStart(2, '0')}`);
        const written = new Intl.NumberFormat('de-DE', { minimumFractionDigits: 2 }).format(value);
        expect(Number(plainNumber(written, ','))).toBe(value);
      }),
    );
  });
});
