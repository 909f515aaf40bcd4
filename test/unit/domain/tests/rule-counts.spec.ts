import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../src-main/base/json-value.ts';
import { checkRow, type RowChecks } from '../../../../src-main/domain/tests/check-row.ts';
import { describeDifferences } from '../../../../src-main/domain/tests/describe-differences.ts';
import type { OutputRules } from '../../../../src-main/domain/tests/field-rules.ts';
import { RuleCounts } from '../../../../src-main/domain/tests/rule-counts.ts';
import { cpuRatio } from '../../../builders/cpu-ratio.ts';

const digest = (text: string): string => `hash of ${text.length}`;
const checksOf = (fields: OutputRules): RowChecks => ({ fields, comparison: null, hasScore: false });

function countsOver(fields: OutputRules, outputs: Iterable<JsonObject>): RuleCounts {
  const counts = new RuleCounts(fields);
  let row = 0;
  for (const output of outputs)
    counts.add(row++, checkRow(checksOf(fields), { output }, { results: [], digest }));
  return counts;
}

const linesOf = (counts: RuleCounts): readonly string[] => {
  const { listed, more } = counts.brokenRules();
  return describeDifferences(listed, { more }).map(({ text }) => text);
};

const unique: OutputRules = [['a', { unique: true }]];

describe('rules over all rows', () => {
  it('name the value of the earliest row that another row has too', () => {
    const values: readonly JsonValue[] = ['x', 'y', 'y', { p: 1, q: [2] }, 'x', { q: [2], p: 1 }];
    expect(
      linesOf(
        countsOver(
          unique,
          values.map((a) => ({ a })),
        ),
      ),
    ).toEqual(['all rows', 'a', 'unique', '"x" in rows 1, 5']);
    expect(
      linesOf(
        countsOver(
          unique,
          values.slice(3).map((a) => ({ a })),
        ),
      ),
    ).toContain('{"p":1,"q":[2]} in rows 1, 3');
  });

  it('take a time that grows with the number of rows, however many are equal', () => {
    const ratio = cpuRatio((units) => {
      const rows = units * 10;
      const equal = Array.from({ length: rows }, () => ({ a: 'equal' }));
      const lines = linesOf(countsOver(unique, equal));
      expect(lines.at(-1)).toContain(`and ${rows - 10} more`);
    });
    // Four times as long is linear; a list that was copied for each equal value took 16 times as long.
    expect(ratio).toBeLessThan(10);
  });

  it('keep a bounded number of differences and count the others', () => {
    const rules: OutputRules = [['a', { between: [1, 2] }]];
    const counts = countsOver(
      rules,
      Array.from({ length: 1_000 }, () => ({ a: 0 })),
    );
    const { listed, more } = counts.brokenRules();
    expect([listed.length, more]).toEqual([100, 900]);
    expect(linesOf(counts).at(-1)).toBe('and 980 more');
  });
});

describe('the findings of a row', () => {
  it('are small, however large and deep the values are', () => {
    let deep: JsonValue = 1;
    for (let level = 0; level < 50_000; level += 1) deep = [deep];
    const list = Array.from({ length: 200_000 }, (_, at) => at);
    const output = { list, deep, text: 'y'.repeat(1_000_000), [`k${'k'.repeat(100_000)}`]: 1 };
    const expected = { list: list.map((at) => -1 - at), deep: [[2]], text: 'y'.repeat(999_999), other: 1 };
    const fields: OutputRules = [
      ['text', { oneOf: ['a'], unique: true, schema: { enum: list }, matches: 'm', that: 't' }],
    ];
    const comparison = { contains: false };
    const error = 'e'.repeat(1_000_000);
    const findings = checkRow(
      { fields, comparison, hasScore: false },
      { output, expected },
      { results: [{ error }, { error }], digest },
    );
    expect(JSON.stringify(findings).length).toBeLessThan(50_000);
    expect(findings.differences).toHaveLength(20);
    expect(findings.moreDifferences).toBe(200_000 + 4 - 20);
    expect(findings.broken.map(({ rule }) => rule)).toEqual(['oneOf', 'schema', 'matches', 'that']);
  });

  it('show two long texts where they part', () => {
    const start = 'x'.repeat(5_000);
    const checks = { fields: [], comparison: { contains: false }, hasScore: false };
    const row = { output: { a: `${start}right` }, expected: { a: `${start}left` } };
    const [difference] = checkRow(checks, row, { results: [], digest }).differences;
    expect(difference?.rule).toMatch(/^…"x+left"$/);
    expect(difference?.found).toMatch(/^…"x+right"$/);
  });
});
