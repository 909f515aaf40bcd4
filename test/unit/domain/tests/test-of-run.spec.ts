import { expect, it } from 'vitest';
import {
  describeRowNumbers,
  fileStem,
  freeTestName,
  nameOfTest,
} from '../../../../src-main/domain/tests/name-test.ts';
import { fitsInside, testOfRun, type EndedRun } from '../../../../src-main/domain/tests/test-of-run.ts';

const run = (more: Partial<EndedRun> = {}): EndedRun => ({
  runId: '01990000-0000-7000-8000-00004f0c21aa',
  status: 'completed',
  mocks: {},
  rows: [{ row: 1, input: { a: 1 }, output: { b: 1 } }],
  ...more,
});
const names = { name: 'n', cassette: undefined };

it('a run that failed gives its error, without the number of a row that has another one in the test', () => {
  const failed = run({
    status: 'failed',
    error: 'Node "x" failed on row 3: no',
    failure: { message: 'no' },
    rows: [{ row: 3, input: { a: 3 }, output: null }],
  });
  expect(testOfRun(failed, names).expect).toEqual({ status: 'failed', error: 'no' });
  const first = { ...failed, rows: [{ row: 1, input: { a: 3 }, output: null }] };
  expect(testOfRun(first, names).expect).toEqual({ status: 'failed', error: 'Node "x" failed on row 3: no' });
});

it('mocks, a cassette and what a scenario does to rows go along', () => {
  const scenario = 'queued-for=10s,fail-row=3,pause-at=50%';
  const test = testOfRun(run({ mocks: { x: 'large' }, scenario }), {
    name: 'n',
    cassette: 'c.cassette.json',
  });
  expect(test).toMatchObject({ mocks: { x: 'large' }, cassette: 'c.cassette.json', scenario: 'fail-row=3' });
  expect(testOfRun(run({ scenario: 'queued-for=10s' }), names)).not.toHaveProperty('scenario');
});

it('names say which rows of which run, each once', () => {
  expect([describeRowNumbers([5]), describeRowNumbers([1, 2, 3, 7]), describeRowNumbers([])]).toEqual([
    'row 5',
    'rows 1-3, 7',
    '0 rows',
  ]);
  expect(describeRowNumbers(Array.from({ length: 50 }, (_, index) => 2 * index))).toBe('50 rows');
  const taken = new Set(['row 1 of run 4f0c21aa', 'row 1 of run 4f0c21aa (2)']);
  expect(freeTestName(nameOfTest(run()), taken)).toBe('row 1 of run 4f0c21aa (3)');
});

it('a test expects the values of some fields, the types of others, and rows without an output', () => {
  const outputs = [{ size: 3, mood: 'glad', tags: ['a'] }, null, { size: null, mood: 'calm', tags: [] }];
  const rows = outputs.map((output, index) => ({ row: index + 1, input: {}, output }));
  const expectOf = (values: string[], types: string[]) =>
    testOfRun(run({ rows }), { name: 'a', cassette: undefined, fields: { values, types } }).expect;
  const types = { mood: { schema: { type: 'string' } }, size: { schema: { type: ['number', 'null'] } } };
  expect(expectOf(['tags'], ['mood', 'size'])).toEqual({
    status: 'completed',
    contains: true,
    rows: [{ tags: ['a'] }, null, { tags: [] }],
    fields: types,
  });
  expect(expectOf(['size', 'mood', 'tags'], [])).toEqual({ status: 'completed', rows: outputs });
  rows.splice(1, 1);
  expect(expectOf([], ['mood', 'size'])).toEqual({ status: 'completed', fields: types });
});

it('names of files hold on any platform', () => {
  expect(fileStem('Rows 1-3, 7: of "run"/..')).toBe('rows-1-3-7-of-run');
  expect(fileStem('äß')).toBe('test');
});

it('twenty small rows fit into the file, one more or a large one does not', () => {
  const rows = Array.from({ length: 20 }, (_, index) => ({ row: index + 1, input: {}, output: {} }));
  const [first] = rows;
  expect(fitsInside(run({ rows }))).toBe(true);
  expect(fitsInside(run({ rows: first === undefined ? rows : [...rows, first] }))).toBe(false);
  expect(fitsInside(run({ rows: [{ row: 1, input: { a: 'x'.repeat(17_000) }, output: null }] }))).toBe(false);
});
