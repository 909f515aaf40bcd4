import { describe, expect, it } from 'vitest';
import { parseBody, parseExpression } from '../../../../src-main/domain/expressions/parse-expression.ts';
import { nestedExpressions, nestedStatements } from '../../../builders/nested-code.ts';

const scope = { names: ['row', 'nodes'] };
/** Limits that docs/guide/expressions.md promises: levels of nesting, and operators in a chain. */
const promisedDepth = 70;
const promisedOperators = 900;

describe('nested code', () => {
  it.each(Object.entries(nestedExpressions))('may nest %s 70 deep', (_, nested) => {
    expect(parseExpression(nested(promisedDepth), scope)).toMatchObject({ ok: true });
  });

  it.each(Object.entries(nestedStatements))('may nest %s 70 deep', (_, nested) => {
    expect(parseBody(nested(promisedDepth), scope)).toMatchObject({ ok: true });
  });

  it.each(['sums', 'logical operators', 'members', 'calls in a row'])('may have 900 %s', (name) => {
    expect(parseExpression(nestedExpressions[name]?.(promisedOperators) ?? '', scope)).toMatchObject({
      ok: true,
    });
  });

  it('names the offset at which it is nested too deeply', () => {
    expect(parseExpression(`row.a + ${'('.repeat(3000)}`, scope)).toEqual({
      ok: false,
      problems: [{ message: 'The code is nested too deeply', offset: 174 }],
    });
  });

  it('may declare 20,000 names and no more', () => {
    const names = (count: number): string =>
      Array.from({ length: count }, (_, index) => `a${index}`).join(', ');
    expect(parseBody(`let ${names(20_000)};`, scope)).toMatchObject({ ok: true });
    expect(parseBody(`let ${names(20_001)};`, scope)).toMatchObject({
      problems: [{ message: 'The code declares more than 20000 names' }],
    });
  });
});
