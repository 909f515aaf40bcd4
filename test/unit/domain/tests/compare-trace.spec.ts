import { expect, it } from 'vitest';
import { compareOutcome, type TestOutcome } from '../../../../src-main/domain/tests/compare-outcome.ts';
import { parseTests } from '../../../../src-main/domain/tests/parse-tests.ts';
import { ownExpectation } from '../../../../src-main/domain/tests/test-case.ts';
import { updateTests } from '../../../../src-main/domain/tests/update-tests.ts';

const file = (trace: string, status = 'completed'): string => `rowbench: 1
tests:
  - name: one
    rows: [{}]
    expect:
      status: ${status}
      # what matters
      trace:
        - row: 1
          nodes: ${trace}
`;

const outcome: TestOutcome = {
  status: 'completed',
  outputs: [{}],
  traces: [
    {
      row: 1,
      nodes: {
        a: { status: 'done', attempts: 2, value: { x: 1, y: [2] } },
        b: { status: 'skipped', attempts: 0 },
      },
    },
  ],
};

const testOf = (text: string) => {
  const { tests = [], issues } = parseTests(text);
  expect(issues).toEqual([]);
  const [test] = tests;
  if (test === undefined) throw new Error('no test');
  return test;
};
const differences = (trace: string) => compareOutcome(ownExpectation(testOf(file(trace)).expect), outcome);

it.each(['{ a: { status: done } }', '{ a: { attempts: 2, value: { y: [2] } }, b: { status: skipped } }'])(
  'what is left out does not matter: %s',
  (trace) => {
    expect(differences(trace)).toEqual([]);
  },
);

it('a difference names row, node and part', () => {
  expect(differences('{ a: { status: failed, value: { x: 2 } }, c: { status: done } }')).toEqual([
    { what: 'trace', path: [0, 'a', 'status'], expected: 'failed', actual: 'done' },
    { what: 'trace', path: [0, 'a', 'value', 'x'], expected: 2, actual: 1 },
    { what: 'trace', path: [0, 'c'], expected: { status: 'done' } },
  ]);
});

it('a failed run is held to its trace too', () => {
  const failed: TestOutcome = { status: 'failed', error: 'no', traces: outcome.traces ?? [] };
  expect(
    compareOutcome(ownExpectation(testOf(file('{ a: { attempts: 1 } }', 'failed')).expect), failed),
  ).toHaveLength(1);
});

it('an update changes what differs, and drops what is not there', () => {
  const text = file('{ a: { status: failed, attempts: 2 }, b: { value: 1 }, c: { status: done } }');
  const after = updateTests(text, [{ test: testOf(text), outcome }]);
  expect(compareOutcome(ownExpectation(testOf(after).expect), outcome)).toEqual([]);
  expect(testOf(after).expect.trace).toEqual([
    { row: 1, nodes: { a: { status: 'done', attempts: 2 }, b: {} } },
  ]);
  expect(after).toContain('# what matters');
  expect(testOf(after).expect.rows).toBeUndefined();
});

it.each([
  ['an unknown status', '{ a: { status: finished } }', 'Expected one of done, failed'],
  ['an unknown key', '{ a: { stat: done } }', 'stat'],
])('refuses %s', (_, trace, word) => {
  expect(JSON.stringify(parseTests(file(trace)).issues)).toContain(word);
});
