import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../../src-main/base/json-value.ts';
import { compareOutcome, type TestOutcome } from '../../../../src-main/domain/tests/compare-outcome.ts';
import { parseTests } from '../../../../src-main/domain/tests/parse-tests.ts';
import { ownExpectation } from '../../../../src-main/domain/tests/test-case.ts';
import { updateTests } from '../../../../src-main/domain/tests/update-tests.ts';

function updated(text: string, ...outcomes: readonly TestOutcome[]): string {
  const { tests, issues } = parseTests(text);
  if (tests === undefined) throw new Error(JSON.stringify(issues));
  const runs = outcomes.flatMap((outcome, index) => {
    const test = tests[index];
    return test === undefined ? [] : [{ test, outcome }];
  });
  const after = updateTests(text, runs);
  const again = parseTests(after).tests ?? [];
  runs.forEach(({ test, outcome }) => {
    const expectation = again[test.index]?.expect;
    expect(expectation && compareOutcome(ownExpectation(expectation), outcome)).toEqual([]);
  });
  return after;
}

const completed = (...outputs: readonly JsonValue[]): TestOutcome => ({ status: 'completed', outputs });

const file = `# All about leads.
tests:
  - name: first   # odd   spaces
    rows: [ {a: 1},{a: 2} ]
    expect:
      status: completed
      # What they get.
      rows:
        - { label: hot, points: 1 } # the best
        - label: cold
          points: 2
  - name: second
    rows: []
    expect: { status: completed }
`;

describe('an update', () => {
  it('changes nothing while all tests pass', () => {
    expect(
      updated(file, completed({ label: 'hot', points: 1 }, { label: 'cold', points: 2 }), completed()),
    ).toBe(file);
  });

  it('changes only the values that differ, and no other character', () => {
    const after = updated(file, completed({ label: 'hot', points: 9 }, { label: 'warm: 5', points: 2 }));
    expect(after).toBe(file.replace('points: 1', 'points: 9').replace('label: cold', 'label: "warm: 5"'));
  });

  it('writes a row anew when fields come or go', () => {
    const after = updated(file, completed({ label: 'hot', points: 1, tags: ['x', 'y, z'] }, null));
    expect(after).toBe(
      file
        .replace('points: 1 }', 'points: 1, tags: [ x, "y, z" ] }')
        .replace('label: cold\n          points: 2', 'null'),
    );
  });

  it('removes a row and a field alone, and adds a row like its neighbours', () => {
    const row = '        - { label: hot, points: 1 } # the best\n';
    const cold = '        - label: cold\n          points: 2\n';
    expect(updated(file, completed({ label: 'hot' }))).toBe(
      file.replace(row + cold, '        - { label: hot } # the best\n'),
    );
    expect(
      updated(file, completed({ label: 'hot', points: 1 }, { label: 'cold', points: 2 }, { label: 'new' })),
    ).toBe(file.replace(cold, `${cold}        - label: new\n`));
  });

  it('lets a test expect the failure that came, or the outputs of a run that no longer fails', () => {
    const failed = updated(file, { status: 'failed', error: 'Node "x" failed on row 1: a: b' });
    expect(parseTests(failed).tests?.[0]?.expect).toEqual({
      status: 'failed',
      error: 'Node "x" failed on row 1: a: b',
      contains: false,
    });
    expect(failed).toContain('# All about leads.');
    updated(failed, completed({ label: 'hot' }, null));
  });

  it('keeps JSON as JSON', () => {
    const json = '{"tests":[{"name":"a","rows":[],"expect":{"status":"completed","rows":[{"a":1}]}}]}';
    const after = updated(json, completed({ a: 'x\ny' }, null));
    expect(after).toBe(json.replace('[{"a":1}]', '[{"a":"x\\ny"},null]'));
  });

  it('keeps line ends', () => {
    const after = updated(file.replaceAll('\n', '\r\n'), completed({ label: 'hot' }));
    expect(after.replaceAll('\r\n', '')).not.toContain('\n');
  });

  it('leaves expected rows in a file alone, but for a run that fails', () => {
    const text = 'tests:\n  - { name: a, rows: [], expect: { status: completed, rows: a.json } }\n';
    expect(updated(text, completed({ any: 1 }))).toBe(text);
    expect(updated(text, { status: 'failed', error: 'no' })).toContain('{ status: failed, error: no }');
  });

  it('refuses an output with more levels than a file holds', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(98)}1${'}'.repeat(98)}`) as JsonObject;
    expect(() => updated(file, completed(deep), completed())).toThrow(
      'The file cannot hold this: it has at most 1,000,000 characters and 100 levels of lists and objects',
    );
  });

  it('makes the test pass whatever came', () => {
    const output = fc.oneof(fc.constant(null), fc.dictionary(fc.string(), fc.jsonValue()));
    fc.assert(
      fc.property(fc.array(output, { maxLength: 4 }), (outputs) => {
        const plain = JSON.parse(JSON.stringify(outputs)) as (JsonObject | null)[];
        updated(file, completed(...plain), completed());
      }),
    );
  });
});
