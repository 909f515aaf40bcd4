import { expect, it } from 'vitest';
import { testCountsColour, testCountsText } from '../../../../src-main/domain/tests/test-report.ts';

it.each([
  [{ passed: 4, failed: 1 }, '4 tests passed, 1 failed', 'red'],
  [{ passed: 0, failed: 1 }, '1 test failed', 'red'],
  [{ passed: 1, failed: 0 }, '1 test passed', 'green'],
  // A page once showed "0 tests passed" in green.
  [{ passed: 0, failed: 0 }, 'No test ran', 'quiet'],
] as const)('the counts %j read "%s" and are %s', (counts, text, colour) => {
  expect([testCountsText(counts), testCountsColour(counts)]).toEqual([text, colour]);
});
