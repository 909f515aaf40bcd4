import { describe, expect, it } from 'vitest';
import { callFault, scenarioSeed } from '../../../../src-main/domain/scenarios/call-fault.ts';
import { readScenario } from '../../../../src-main/domain/scenarios/parse-scenario.ts';
import { rowsAt } from '../../../../src-main/domain/scenarios/scenario.ts';

const faults = (text: string, seed: number, calls: 'api' | 'upstream' = 'api') =>
  Array.from({ length: 10_000 }, (_, nth) =>
    callFault(readScenario(text), calls, { seed, position: [nth + 1] }),
  );
const shareOf = (all: readonly unknown[], fault: string): number =>
  all.filter((one) => one === fault).length / all.length;

describe('faults of calls', () => {
  it.each([1, 2, 2 ** 32 - 1])('come as often as the scenario says, with seed %d', (seed) => {
    const all = faults('api-429=0.3,api-5xx=0.1', seed);
    expect(shareOf(all, '429')).toBeCloseTo(0.3, 1);
    expect(shareOf(all, '5xx')).toBeCloseTo(0.1, 1);
  });

  it('come for the same calls again, and for others with another seed', () => {
    expect(faults('api-429=0.5', 7)).toEqual(faults('api-429=0.5', 7));
    expect(faults('api-429=0.5', 7)).not.toEqual(faults('api-429=0.5', 8));
  });

  it('of a share of 1 come always, and without a share never', () => {
    expect(shareOf(faults('api-5xx=1', 3), '5xx')).toBe(1);
    expect(shareOf(faults('upstream-5xx=1', 3), '5xx')).toBe(0);
    expect(shareOf(faults('upstream-5xx=1', 3, 'upstream'), '5xx')).toBe(1);
  });

  it("are drawn from the scenario's seed where it has one", () => {
    expect(scenarioSeed({ seed: 7 }, { random: 9, time: 0 })).toBe(7);
    expect(scenarioSeed({}, { random: 9, time: 0 })).toBe(9);
  });
});

describe('a place', () => {
  it.each([
    ['50% of 10 rows', { percent: 50 }, 10, 5],
    ['50% of 1 row is before it', { percent: 50 }, 1, 0],
    ['99% of 7 rows', { percent: 99 }, 7, 6],
    ['0% is before the first row', { percent: 0 }, 3, 0],
    ['row 3 of 5', { row: 3 }, 5, 3],
    ['the last row is none: the run has ended then', { row: 5 }, 5, undefined],
    ['a run without rows has none', { percent: 0 }, 0, undefined],
  ])('%s', (_title, position, rows, at) => {
    expect(rowsAt(position, rows)).toBe(at);
  });
});
