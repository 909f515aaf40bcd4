import { describe, expect, it } from 'vitest';
import type { ValueTest } from '../../../../../src-main/contract/index.ts';
import { valueChoices, formOf, testOfForm } from '../../../../../src-renderer/state/run/rows/filter-form.ts';
import {
  testOfFrequent,
  testOfRange,
  typedValues,
} from '../../../../../src-renderer/state/run/rows/value-tests.ts';

const emptyForm = formOf(undefined);

describe('the form of a filter', () => {
  it.each<ValueTest>([
    { is: 'equals', value: 12 },
    { is: 'oneOf', values: ['a', null, 3] },
    { is: 'notEquals', value: 5 },
    { is: 'contains', text: 'ü' },
    { is: 'between', min: 1, max: 2.5 },
    { is: 'between', min: '2026-01-01' },
    { is: 'between', min: 1, max: 2, isMaxExcluded: true },
    { is: 'empty' },
    { is: 'notEmpty' },
  ])('gives back the filter $is that it was opened with', (test) => {
    expect(testOfForm(formOf(test))).toEqual({ test });
  });

  it('takes a typed number as a number and as a text', () => {
    expect(typedValues('12')).toEqual([12, '12']);
    expect(typedValues('007')).toEqual(['007']);
    expect(typedValues('1e3')).toEqual([1000, '1e3']);
    expect(typedValues('ada')).toEqual(['ada']);
    expect(testOfForm({ ...emptyForm, text: '12' })).toEqual({ test: { is: 'oneOf', values: [12, '12'] } });
  });

  it('says what is missing', () => {
    expect(testOfForm(emptyForm)).toHaveProperty('problem');
    expect(testOfForm({ ...emptyForm, kind: 'between' })).toHaveProperty('problem');
    expect(testOfForm({ ...emptyForm, kind: 'between', min: '1', max: 'b' })).toHaveProperty('problem');
  });

  it('offers chosen values that are not among the frequent ones', () => {
    const top = [{ type: 'number' as const, text: '3', rows: 7 }];
    expect(valueChoices(top, [3, 'x'])).toEqual([
      { value: 'x', text: 'x', rows: undefined },
      { value: 3, text: '3', rows: 7 },
    ]);
  });
});

describe('a click on statistics', () => {
  it('filters by a frequent value, or by its beginning if it was cut', () => {
    expect(testOfFrequent({ type: 'text', text: '12', rows: 1 })).toEqual({ is: 'equals', value: '12' });
    expect(testOfFrequent({ type: 'list', text: '["a"]', rows: 1 })).toEqual({ is: 'equals', value: ['a'] });
    const long = 'x'.repeat(160);
    expect(testOfFrequent({ type: 'text', text: long, rows: 1 })).toEqual({ is: 'contains', text: long });
    expect(testOfFrequent({ type: 'object', text: '{"a":"', rows: 1 }).is).toBe('contains');
  });

  it('leaves out the end of a range of a histogram, which belongs to the next one', () => {
    const range = { from: 0, to: 10, rows: 3 };
    expect(testOfRange(range, false)).toEqual({ is: 'between', min: 0, max: 10, isMaxExcluded: true });
    expect(testOfRange(range, true)).toEqual({ is: 'between', min: 0, max: 10 });
  });
});
