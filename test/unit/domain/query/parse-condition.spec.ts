import { describe, expect, it } from 'vitest';
import type { ValueTest } from '../../../../src-main/domain/query/row-selection.ts';
import { parseCondition, parseSort } from '../../../../src-main/domain/query/parse-condition.ts';

const testsOf = (text: string) =>
  parseCondition(text)?.map((condition) => (condition.of === 'column' ? condition.test : undefined));

describe('a condition as text', () => {
  it.each<[string, readonly ValueTest[]]>([
    ['output.a = 50', [{ is: 'equals', value: 50 }]],
    ['output.a = "50"', [{ is: 'equals', value: '50' }]],
    ['output.a = hot lead', [{ is: 'equals', value: 'hot lead' }]],
    ['output.a != null', [{ is: 'notEquals', value: null }]],
    ['output.a >= 1', [{ is: 'between', min: 1 }]],
    ['output.a <= b', [{ is: 'between', max: 'b' }]],
    [
      'output.a > 1',
      [
        { is: 'between', min: 1 },
        { is: 'notEquals', value: 1 },
      ],
    ],
    [
      'output.a < 2026-01-01',
      [
        { is: 'between', max: '2026-01-01' },
        { is: 'notEquals', value: '2026-01-01' },
      ],
    ],
    ['output.a contains 50', [{ is: 'contains', text: '50' }]],
    ['output.a contains "a b"', [{ is: 'contains', text: 'a b' }]],
    ['output.a is empty', [{ is: 'empty' }]],
    [' output.a  is not empty ', [{ is: 'notEmpty' }]],
  ])('%s', (text, tests) => {
    expect(testsOf(text)).toEqual(tests);
  });

  it('names a column by its exact name', () => {
    const columnOf = (text: string) =>
      parseCondition(text)?.map((one) => one.of === 'column' && one.column.name);
    expect(columnOf('input.a.b = 1')).toEqual(['a.b']);
    expect(columnOf('input.first name = Ada')).toEqual(['first name']);
    expect(columnOf('input.a=b contains 1')).toEqual(['a=b']);
  });

  it.each([
    '',
    'score > 50',
    'output.a',
    'output.a like 1',
    'output.a > [1]',
    'output.a > null',
    'output.a contains ',
  ])('of another form is refused: %j', (text) => {
    expect(parseCondition(text)).toBeUndefined();
  });
});

it('an order as text is a column and a direction', () => {
  const score = { of: 'output', name: 'score' };
  expect(parseSort('output.score')).toEqual({ column: score, descending: false });
  expect(parseSort('output.score:desc')).toEqual({ column: score, descending: true });
  expect(parseSort('output.score:asc')).toEqual({ column: score, descending: false });
  expect(parseSort('state:desc')).toEqual({ column: 'state', descending: true });
  expect(parseSort('score')).toBeUndefined();
});
