import { describe, expect, it } from 'vitest';
import { marksText } from '../../../../src-main/domain/run/run-marks.ts';

describe('the marks of a run', () => {
  it.each([
    [{}, ''],
    [{ mode: 'live' }, ''],
    [{ mode: 'record' }, 'Recorded'],
    [{ mode: 'fill' }, 'Filled in'],
    [{ mode: 'replay', scenario: 'fail-row=3' }, 'Replayed, scenario'],
    [{ mode: 'mocks' }, 'Mocks'],
    [{ mode: 'mocks', mocks: { company: 'large' } }, 'Mocks'],
    [{ mode: 'live', mocks: { company: 'large' } }, 'Mocks'],
    [{ mode: 'record', mocks: { company: 'large' } }, 'Recorded, mocks'],
    [{ mocks: {} }, ''],
    [{ scenario: 'slow=200ms' }, 'Scenario'],
  ] as const)('of %j are "%s"', (run, text) => {
    expect(marksText(run)).toBe(text);
  });
});
