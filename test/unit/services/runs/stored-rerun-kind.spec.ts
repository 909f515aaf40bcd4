import { describe, expect, it } from 'vitest';
import { rerunKind } from '../../../../src-main/domain/run/rerun-kind.ts';
import type { Run } from '../../../../src-main/domain/run/run.ts';
import { storedRerunKind } from '../../../../src-main/services/runs/stored-rerun-kind.ts';

const keepsNumbers = true;

describe('the kind of a rerun', () => {
  it.each([
    ['live after recorded answers', { mode: 'record' }, {}, 'completes'],
    ['filled after live', {}, { mode: 'fill', mocks: {}, scenario: {} }, 'completes'],
    ['replayed after live', {}, { mode: 'replay' }, 'otherAnswers'],
    ['live after replayed', { mode: 'replay' }, { mode: 'live' }, 'otherAnswers'],
    ['replayed after replayed', { mode: 'replay' }, { mode: 'replay' }, 'completes'],
    ['with one mock after live', {}, { mocks: { a: 'ok' } }, 'otherAnswers'],
    ['with another mock', { mocks: { a: 'ok' } }, { mocks: { a: 'gone' } }, 'otherAnswers'],
    ['with the same mocks', { mocks: { a: 'x', b: 'y' } }, { mocks: { b: 'y', a: 'x' } }, 'completes'],
    ['under a scenario', {}, { scenario: { 'fail-row': 2 } }, 'otherAnswers'],
    ['without the scenario of its original', { scenario: { slow: 5 } }, {}, 'otherAnswers'],
    [
      'under the same scenario',
      { scenario: { slow: 5, seed: 1 } },
      { scenario: { seed: 1, slow: 5 } },
      'completes',
    ],
  ] as const)('that is %s follows from the answers of both runs', (_, original, rerun, kind) => {
    expect(rerunKind(original, rerun, { keepsNumbers })).toBe(kind);
    expect(rerunKind(original, rerun, { keepsNumbers: false })).toBe('otherRows');
  });
});

describe('the kind of a rerun that an earlier version stored', () => {
  /** Runs by their number of rows, with or without row numbers. */
  const store = (numbered: readonly string[]): Parameters<typeof storedRerunKind>[0] => ({
    async *readRows(runId) {
      yield await Promise.resolve({
        firstRow: 1,
        bytes: Buffer.from('{}\n'),
        ...(numbered.includes(runId) ? { numbers: [7] } : {}),
      });
    },
  });
  const run = (runId: string, rows: number, more: Partial<Run> = {}) => ({ runId, rows, ...more }) as Run;

  it.each([
    ['with stored numbers completes its original', run('a', 9), run('b', 2), ['b'], 'completes'],
    ['with fewer rows and no numbers has other rows', run('a', 9), run('b', 2), [], 'otherRows'],
    ['with more rows and no numbers has other rows', run('a', 9), run('b', 10), [], 'otherRows'],
    ['of all rows completes its original', run('a', 9), run('b', 9), [], 'completes'],
    ['without numbers of a run with numbers has other rows', run('a', 2), run('b', 2), ['a'], 'otherRows'],
    [
      'that was replayed has other answers',
      run('a', 9),
      run('b', 2, { mode: 'replay' }),
      ['b'],
      'otherAnswers',
    ],
    ['is what its record says', run('a', 9), run('b', 2, { rerunKind: 'otherRows' }), ['b'], 'otherRows'],
  ] as const)('%s', async (_, original, rerun, numbered, kind) => {
    expect(await storedRerunKind(store(numbered), original, rerun)).toBe(kind);
  });
});
