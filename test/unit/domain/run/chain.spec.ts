import { describe, expect, it } from 'vitest';
import { chainIdOf, inChain, joinsChain, rowsOfChain } from '../../../../src-main/domain/run/chain.ts';
import { storedChains, type UnchainedRun } from '../../../../src-main/domain/run/stored-chains.ts';

const whole = { isFirst: true, rows: 9, hasOutput: true, chainRows: 9 };
const sample = { isFirst: true, rows: 3, hasOutput: true, chainRows: 9 };
const attempt = { isFirst: false, rows: 3, hasOutput: true, chainRows: 9 };
const allFailed = { ...whole, hasOutput: false };

describe('a rerun is an attempt of the chain', () => {
  it.each([
    ['the rest of a sample', { kind: 'completes', part: 'rest', rows: 6 }, sample, true],
    ['rows without an output', { kind: 'completes', part: 'open', rows: 2 }, whole, true],
    ['all rows, none of which has an output', { kind: 'completes', part: 'open', rows: 9 }, allFailed, true],
    ['selected rows', { kind: 'completes', part: 'rows', rows: 4 }, whole, true],
    ['edited rows under their numbers', { kind: 'completes', part: 'edited', rows: 4 }, whole, true],
    ['all rows of a failed run, edited', { kind: 'completes', part: 'edited', rows: 9 }, allFailed, true],
    ['rows of other attempts, selected', { kind: 'completes', part: 'rows', rows: 4 }, sample, true],
    ['rows of other attempts, edited', { kind: 'completes', part: 'edited', rows: 4 }, sample, true],
    ['all rows of a later attempt', { kind: 'completes', rows: 3 }, attempt, true],
    [
      'all rows of the chain of an attempt without an output',
      { kind: 'completes', part: 'rows', rows: 9 },
      { ...attempt, hasOutput: false },
      false,
    ],
    ['all rows again', { kind: 'completes', rows: 9 }, whole, false],
    ['all rows of a failed run again', { kind: 'completes', rows: 9 }, allFailed, false],
    ['all rows of a run, edited', { kind: 'completes', part: 'edited', rows: 9 }, whole, false],
    ['all rows of a run, selected', { kind: 'completes', part: 'rows', rows: 9 }, whole, false],
    ['a sample again', { kind: 'completes', rows: 3 }, sample, false],
    ['a whole attempt that had all rows', { kind: 'completes', rows: 9 }, { ...attempt, rows: 9 }, false],
    ['edited rows without numbers', { kind: 'otherRows', part: 'edited', rows: 2 }, whole, false],
    ['rows that are replayed or mocked', { kind: 'otherAnswers', part: 'open', rows: 2 }, whole, false],
    ['the rest under a scenario', { kind: 'otherAnswers', part: 'rest', rows: 6 }, sample, false],
  ] as const)('or not, with %s', (_, rerun, repeated, isAttempt) => {
    expect(joinsChain(rerun, repeated)).toBe(isAttempt);
  });
});

it('the chain of a run without one is its own', () => {
  expect(chainIdOf({ runId: 'a' })).toBe('a');
  expect(inChain({ runId: 'a' }, 'a')).toEqual({ runId: 'a' });
  expect(inChain({ runId: 'b' }, 'a')).toEqual({ runId: 'b', chainId: 'a' });
});

it('the chain of a sample has all rows of its set', () => {
  expect(rowsOfChain({ rows: 10, sample: { rows: 5003 } })).toBe(5003);
  expect(rowsOfChain({ rows: 10 })).toBe(10);
});

describe('runs of earlier versions', () => {
  const run = (runId: string, rows: number, more: Partial<UnchainedRun> = {}): UnchainedRun => ({
    runId,
    rows,
    hasNumbers: false,
    ...more,
  });
  const numbered = { hasNumbers: true };

  it('are attempts if they had a part of the rows of a chain under their numbers', () => {
    const runs = [
      run('a', 9),
      run('b', 2, { rerunOf: 'a', ...numbered }),
      run('c', 1, { rerunOf: 'b', ...numbered }),
      run('all', 9, { rerunOf: 'a' }),
      run('of-all', 2, { rerunOf: 'all', ...numbered }),
      run('moved', 2, { rerunOf: 'a' }),
      run('mocked', 2, { rerunOf: 'a', mode: 'mocks', ...numbered }),
      run('said', 2, { rerunOf: 'a', rerunKind: 'otherAnswers', ...numbered }),
      run('removed', 2, { rerunOf: 'gone', ...numbered }),
    ];
    const chains = { b: 'a', c: 'a', 'of-all': 'all' };
    expect(Object.fromEntries(storedChains(runs))).toEqual(chains);
    expect(Object.fromEntries(storedChains([...runs].reverse()))).toEqual(chains);
  });

  it('are attempts if they had the rest of a sample, and a sample again is not', () => {
    const runs = [
      run('s', 3, { sample: { setId: 'x', choice: 'first:3', rows: 9 }, ...numbered }),
      run('rest', 6, { rerunOf: 's', isRest: true, ...numbered }),
      run('fix', 1, { rerunOf: 'rest', ...numbered }),
      run('again', 3, { rerunOf: 's', ...numbered }),
    ];
    expect(Object.fromEntries(storedChains(runs))).toEqual({ rest: 's', fix: 's' });
  });
});
