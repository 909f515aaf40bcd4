// An update of one expected value of a trace reformatted the whole file: the whitespace of every list in it changed.
import { expect, it } from 'vitest';
import { parseTests } from '../../src-main/domain/tests/parse-tests.ts';
import { updateTests } from '../../src-main/domain/tests/update-tests.ts';

const file = `tests:
  - name: a
    rows: [{ h: aa }, {h: bb}]   # odd
    expect:
      status: completed
      trace:
        - row: 1
          nodes: { tidy: { value: [1,2], attempts: 1 } } # why
`;

function updated(value: readonly number[]): string {
  const [test] = parseTests(file).tests ?? [];
  if (test === undefined) throw new Error('the file has a test');
  const traces = [{ row: 1, nodes: { tidy: { status: 'done', value: [...value], attempts: 2 } } }];
  return updateTests(file, [{ test, outcome: { status: 'completed', outputs: [], traces } }]);
}

it('an update of values that a trace expects changes those alone', () => {
  expect(updated([3])).toBe(file.replace('[1,2], attempts: 1', '[3], attempts: 2'));
});
