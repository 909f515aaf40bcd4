// Findings that our own worker makes pass the check of the server, however large the row is; others do not.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src-main/base/json-value.ts';
import { assertFindings, maxFindingsBytes } from '../../../../src-main/domain/tests/check-findings.ts';
import { checkRow, type CheckedRow, type RowChecks } from '../../../../src-main/domain/tests/check-row.ts';

const control = '\u0001';
const longName = control.repeat(5000);
const fields: RowChecks['fields'] = Array.from({ length: 40 }, (_, index) => [
  `field${index}`,
  {
    ...{ notNull: true, between: [0, 1], oneOf: [1], schema: { enum: [2] }, matches: 'x', that: 'false' },
    ...{ unique: true, share: { of: 1, between: [0, 1] } },
  },
]);
const checks: RowChecks = { fields, comparison: { contains: false }, hasScore: true };
const digest = (): string => 'x'.repeat(44);
const error = { error: control.repeat(5000) };

const nested = (depth: number, value: string): JsonObject =>
  depth === 0 ? { value } : { [longName]: nested(depth - 1, value) };
const objectOf = (value: unknown): JsonObject =>
  Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`field${index}`, value])) as JsonObject;

const rows: readonly (readonly [string, CheckedRow])[] = [
  ['no output', { output: null, expected: { a: 1 } }],
  ['no row', {}],
  ['equal values', { output: { a: 1 }, expected: { a: 1 } }],
  ['long texts', { output: objectOf(longName), expected: objectOf(`${longName}x`) }],
  ['long names', { output: nested(90, 'a'), expected: nested(90, 'b') }],
  ['values at the limit', { output: objectOf('日'.repeat(1998)), expected: objectOf('月'.repeat(1998)) }],
  ['lists', { output: objectOf([[longName]]), expected: objectOf(7) }],
  ['absent values', { output: objectOf(null), expected: {} }],
];

describe('findings of another worker', () => {
  const own = checkRow(checks, { output: objectOf(1) }, { results: [], digest });
  const withCounted = (counted: readonly unknown[]): string => JSON.stringify({ ...own, counted });
  const good = { field: 0, text: '1', isShared: false };

  it('pass with the values that each field counts', () => {
    expect(() => assertFindings(withCounted([good, { ...good, field: 39 }]), checks)).not.toThrow();
  });

  it.each<readonly [string, readonly unknown[]]>([
    ['text', ['x']],
    ['null', [null]],
    ['a list', [[0]]],
    ['no field', [{ text: '1', isShared: false }]],
    ['part of a field', [{ ...good, field: 0.5 }]],
    ['a field below zero', [{ ...good, field: -1 }]],
    ['a field behind the last', [{ ...good, field: 40 }]],
    ['the same field twice', [good, good]],
    ['an earlier field', [{ ...good, field: 1 }, good]],
    ['no text', [{ field: 0, isShared: false }]],
    ['a number as text', [{ ...good, text: 1 }]],
    ['a long text', [{ ...good, text: 'x'.repeat(200) }]],
    ['no share', [{ field: 0, text: '1' }]],
    ['a number as share', [{ ...good, isShared: 1 }]],
    ['a member of another name', [{ ...good, other: 1 }]],
  ])('are refused that count %s', (_, counted) => {
    expect(() => assertFindings(withCounted(counted), checks)).toThrow();
  });

  it('are refused that count a value without a rule', () => {
    const unruled: RowChecks = { ...checks, fields: [['field0', { notNull: true }]] };
    expect(() => assertFindings(withCounted([{ field: 0 }]), unruled)).toThrow();
  });
});

describe('findings of our own worker', () => {
  it.each(rows)('pass for %s', (_, row) => {
    for (const results of [Array(81).fill(error), Array(81).fill({ result: false }), []] as const) {
      const line = JSON.stringify(checkRow(checks, row, { results, digest }));
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(maxFindingsBytes(checks));
      expect(() => assertFindings(line, checks)).not.toThrow();
    }
  });
});
