// Values as text in the fields of a form, and back.
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '#contract';
import {
  durationHint,
  fieldText,
  typedValue,
  type TextKind,
} from '../../../../../src-renderer/state/workflow/form/field-text.ts';

describe('a field', () => {
  it.each<[TextKind, JsonValue]>([
    ['text', '=row.a'],
    ['text', '12'],
    ['text', 12],
    ['expression', true],
    ['number', 1.5],
    ['numberOrName', '4xx'],
    ['numberOrName', 404],
    ['value', { a: [1, null] }],
    ['json', 'text'],
    ['mock', { first: { value: 1 } }],
    ['value', ''],
  ])('of %s reads back %j as it is', (kind, value) => {
    expect(typedValue(kind, fieldText(kind, value), value)).toStrictEqual(value);
  });

  it('of a number writes a number, and any other text as it is', () => {
    expect(typedValue('number', '30', undefined)).toBe(30);
    expect(typedValue('number', '007', undefined)).toBe('007');
    expect(typedValue('number', '=row.n', 3)).toBe('=row.n');
    expect(typedValue('number', 'true', 3)).toBe('true');
  });

  it('of a text writes a text of digits, but changes a number of the file to another number', () => {
    expect(typedValue('text', '30', 'a')).toBe('30');
    expect(typedValue('text', '30', 3)).toBe(30);
  });

  it('of JSON refuses other text', () => {
    expect(() => typedValue('json', '{ a', undefined)).toThrow(SyntaxError);
  });
});

it('a duration is explained in milliseconds', () => {
  expect(durationHint('2s')).toBe('2s = 2,000 ms');
  expect(durationHint('=row.ms')).toBeUndefined();
});
