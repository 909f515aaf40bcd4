import { expect, test } from 'vitest';
import { resultsAfterSecondRun, resultsToRunAgain } from '../../../scripts/second-run.mjs';
import { failureBesideTests, summaryOf, type TestResult } from '../../../scripts/test-results.mjs';

const testOf = (file: string, title: string, status: 'passed' | 'failed' | 'skipped', why = '') => ({
  where: `${file} › ${title}`,
  file,
  isTest: true,
  status,
  why,
});
const fileThatFails = (file: string, why = 'not loaded') => ({
  where: file,
  file,
  isTest: false,
  status: 'failed' as const,
  why,
});
const summaryAfter = (first: TestResult[], second: TestResult[]) =>
  summaryOf(resultsAfterSecondRun(first, second));

test('failed tests of five files run again', () => {
  const failed = ['a', 'b', 'c', 'd', 'e', 'e'].map((file) => testOf(file, 'fails', 'failed'));
  expect(resultsToRunAgain([testOf('f', 'holds', 'passed'), ...failed])).toEqual(failed);
});

test('nothing runs again if six files failed', () => {
  const failed = ['a', 'b', 'c', 'd', 'e', 'f'].map((file) => testOf(file, 'fails', 'failed'));
  expect(resultsToRunAgain(failed)).toEqual([]);
});

test('nothing runs again if a check, the build or an error outside of tests failed', () => {
  const results = [testOf('a', 'fails', 'failed'), failureBesideTests('check:lint')];
  expect(resultsToRunAgain(results)).toEqual([]);
});

test('a test that passes in the second run is unsteady, is listed with its first reason, and fails nothing', () => {
  const first = [testOf('a', 'holds', 'passed'), testOf('a', 'wavers', 'failed', 'Error: 1')];
  const second = [testOf('a', 'holds', 'passed'), testOf('a', 'wavers', 'passed')];
  expect(summaryAfter(first, second)).toEqual({
    isOk: true,
    text: '\nUNSTEADY a › wavers\n    Passed in a second run. Failed at first:\n    Error: 1\n\n2 passed, 0 failed, 1 unsteady',
  });
});

test('a test that fails again is a failure with its first reason', () => {
  const first = [testOf('a', 'holds', 'passed'), testOf('a', 'fails', 'failed', 'first')];
  const { isOk, text } = summaryAfter(first, [testOf('a', 'fails', 'failed', 'second')]);
  expect(isOk).toBe(false);
  expect(text).toBe('\nFAILED a › fails\n    first\n\n1 passed, 1 failed');
});

test('a test that the second run did not reach, or skipped, stays a failure', () => {
  const first = [
    testOf('a', 'holds', 'passed'),
    testOf('a', 'fails', 'failed'),
    testOf('b', 'fails', 'failed'),
  ];
  const { text } = summaryAfter(first, [testOf('a', 'fails', 'skipped')]);
  expect(text).toContain('1 passed, 2 failed');
});

test('a test that fails only in the second run is a failure', () => {
  const first = [testOf('a', 'turns', 'passed'), testOf('a', 'wavers', 'failed', 'Error: 1')];
  const second = [testOf('a', 'turns', 'failed', 'Error: 2'), testOf('a', 'wavers', 'passed')];
  const { isOk, text } = summaryAfter(first, second);
  expect(isOk).toBe(false);
  expect(text).toContain('FAILED a › turns\n    Error: 2');
  expect(text).toContain('1 passed, 1 failed, 1 unsteady');
});

test('a file that loads in the second run is unsteady, and its tests count', () => {
  const second = [testOf('a', 'holds', 'passed'), testOf('a', 'is left out', 'skipped')];
  const { isOk, text } = summaryAfter([fileThatFails('a')], second);
  expect(isOk).toBe(true);
  expect(text).toContain('UNSTEADY a\n');
  expect(text).toContain('1 passed, 0 failed, 1 skipped, 1 unsteady');
});

test('a file whose preparation failed counts its skipped tests as the second run found them', () => {
  const first = [fileThatFails('a'), testOf('a', 'holds', 'skipped'), testOf('a', 'is left out', 'skipped')];
  const second = [testOf('a', 'holds', 'passed'), testOf('a', 'is left out', 'skipped')];
  expect(summaryAfter(first, second).text).toContain('1 passed, 0 failed, 1 skipped, 1 unsteady');
});

test('a file that does not load again, or of which no test ran, stays a failure', () => {
  for (const second of [[fileThatFails('a')], [], [testOf('a', 'is left out', 'skipped')]])
    expect(summaryAfter([testOf('b', 'holds', 'passed'), fileThatFails('a')], second).isOk).toBe(false);
});

test('an error outside of tests in the second run is a failure', () => {
  const first = [testOf('a', 'wavers', 'failed')];
  const second = [testOf('a', 'wavers', 'passed'), failureBesideTests('unit', 'Unhandled')];
  expect(summaryAfter(first, second).isOk).toBe(false);
});
