import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { JsonValue } from '../../../../src-main/base/json-value.ts';
import { describeDifferences } from '../../../../src-main/domain/tests/describe-differences.ts';
import { findDifferences } from '../../../../src-main/domain/tests/find-differences.ts';
import { compareOutcome } from '../../../../src-main/domain/tests/compare-outcome.ts';
import { ownExpectation, type Expectation } from '../../../../src-main/domain/tests/test-case.ts';

const rows = (expected: readonly JsonValue[], contains = false): Expectation => ({
  status: 'completed',
  rows: expected as NonNullable<Expectation['rows']>,
  contains,
});

const wordsOf = (expected: Expectation, outputs: readonly JsonValue[]): string[] =>
  describeDifferences(compareOutcome(ownExpectation(expected), { status: 'completed', outputs })).map(
    ({ sign, text, depth }) => `${'  '.repeat(depth)}${sign}${text}`,
  );

describe('outputs', () => {
  it('differ by row and field', () => {
    const expected = rows([{ label: 'hot' }, { tags: ['a', 'b'], 'odd key': { x: 1 } }, null]);
    const actual = [{ label: 'cold' }, { tags: ['a'], 'odd key': { x: 2 }, more: true }, { label: 'x' }];
    expect(wordsOf(expected, actual)).toEqual([
      'row 1',
      '  label',
      '    -"hot"',
      '    +"cold"',
      'row 2',
      '  tags[1]',
      '    -"b"',
      '  ["odd key"].x',
      '    -1',
      '    +2',
      '  more',
      '    +true',
      'row 3',
      '  -null',
      '  +{"label":"x"}',
    ]);
  });

  it('are as many as expected', () => {
    expect(wordsOf(rows([{ a: 1 }, { a: 2 }]), [{ a: 1 }])).toEqual(['row 2', '  -{"a":2}']);
    expect(wordsOf(rows([]), [null])).toEqual(['row 1', '  +null']);
  });

  it('may have more fields where only some are asked for, but no more entries of a list', () => {
    expect(wordsOf(rows([{ a: { b: 1 } }], true), [{ a: { b: 1, c: 2 }, d: 3 }])).toEqual([]);
    expect(wordsOf(rows([{ a: [1] }], true), [{ a: [1, 2] }])).toEqual(['row 1', '  a[1]', '    +2']);
    expect(wordsOf(rows([{ a: 1 }], true), [{ b: 1 }])).toEqual(['row 1', '  a', '    -1']);
  });

  it('show a long text around the place where it parts', () => {
    const start = 'x'.repeat(500);
    const lines = wordsOf(rows([{ text: `${start}left${start}` }]), [{ text: `${start}right${start}` }]);
    expect(lines[2]).toMatch(/^ {4}-…x+leftx+…$/);
    expect(lines[3]?.length).toBeLessThan(200);
  });

  it('show the first twenty differences and how many more there are', () => {
    const many = Array.from({ length: 50 }, (_, n) => ({ n }));
    expect(
      wordsOf(
        rows(many),
        many.map(() => ({ n: -1 })),
      ).at(-1),
    ).toBe('and 30 more');
  });
});

describe('the end of a run', () => {
  it('is another than expected, with the error that says why', () => {
    const differences = compareOutcome(ownExpectation(rows([])), {
      status: 'failed',
      error: 'Node "x" failed on row 1: boom',
    });
    expect(differences).toEqual([
      { what: 'status', path: [], expected: 'completed', actual: 'failed: Node "x" failed on row 1: boom' },
    ]);
  });

  it('has an error that contains what is expected', () => {
    const expected: Expectation = { status: 'failed', error: 'row 3: boom', contains: false };
    expect(
      compareOutcome(ownExpectation(expected), {
        status: 'failed',
        error: 'Node "x" failed on row 3: boom.',
      }),
    ).toEqual([]);
    expect(compareOutcome(ownExpectation(expected), { status: 'failed', error: 'else' })).toMatchObject([
      { what: 'error' },
    ]);
    expect(compareOutcome(ownExpectation(expected), { status: 'completed', outputs: [] })).toMatchObject([
      { what: 'status' },
    ]);
  });
});

describe('differences', () => {
  it('are none exactly between equal values, whatever the order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const [left, right] = [one, other].map((value) => JSON.parse(JSON.stringify(value)) as JsonValue);
        if (left === undefined || right === undefined) return;
        expect(findDifferences(left, left, false)).toEqual([]);
        const canonical = (value: JsonValue): string =>
          JSON.stringify(value, (_, part: unknown) =>
            typeof part === 'object' && part !== null && !Array.isArray(part)
              ? Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))
              : part,
          );
        if (canonical(left) !== canonical(right) && typeof left === typeof right)
          expect(findDifferences(left, right, false)).not.toEqual([]);
      }),
    );
  });

  it('see keys that an object only inherits as not there', () => {
    expect(findDifferences({ constructor: 1 }, {}, false)).toEqual([{ path: ['constructor'], expected: 1 }]);
  });
});
