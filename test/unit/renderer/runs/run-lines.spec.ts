import type { ChainCounts, RunView } from '#contract';
import { describe, expect, it } from 'vitest';
import {
  applyFrozenOrder,
  fitOf,
  freezeLines,
  linesOfRuns,
  linesWith,
  partText,
  rowsOfLine,
  withAttempts,
  type RunLine,
} from '../../../../src-renderer/state/runs/run-lines.ts';
import { runView } from '../../../builders/run-view.ts';

const sample = { rows: 10, choice: 'first:2' };
const single = runView({ runId: 'r5', rows: 4, rowsDone: 3, rowsFailed: 1 });
const fixed = runView({ runId: 'r4', chainId: 'r1', part: 'edited', rows: 1, rowsDone: 1 });
const rest = runView({ runId: 'r3', chainId: 'r1', part: 'rest', rows: 8, rowsDone: 7, rowsFailed: 1 });
const other = runView({ runId: 'r2', rerunOf: 'r1' });
const first = runView({ runId: 'r1', part: 'sample', rows: 2, rowsDone: 1, rowsFailed: 1, sample });
const runs = [single, fixed, rest, other, first];
const ids = (lines: readonly RunLine[]): readonly string[] => lines.map(({ id }) => id);

describe('the lines of the list of runs', () => {
  it('are one for each chain, that with the newest attempt first, and one for each attempt of an unfolded chain', () => {
    const lines = linesOfRuns(runs);
    expect(ids(lines)).toEqual(['r5', 'r1', 'r2']);
    expect(lines[1]).toMatchObject({ run: fixed, attempts: [fixed, rest, first] });
    const unfolded = withAttempts(lines, new Set(['r1', 'r5']));
    expect(ids(unfolded)).toEqual(['r5', 'r1', 'r1 r4', 'r1 r3', 'r1 r1', 'r2']);
    expect(unfolded[3]).toMatchObject({ chainId: 'r1', run: rest, isAttempt: true });
    expect([fixed, rest, first, single].map(partText)).toEqual(['Fixed rows', 'Rest', 'Sample', 'All rows']);
  });

  it('fit a filter if one attempt fits', () => {
    const lines = linesOfRuns(runs);
    expect(ids(linesWith(lines, [rest]))).toEqual(['r1']);
    expect(linesWith(lines, [])).toEqual([]);
  });

  it('have the rows of their chain once these are counted, of a sample all rows that it was taken from', () => {
    const counts = { chainId: 'r1', rows: 10, done: 9, failed: 1 } as ChainCounts;
    const [line, chain] = linesOfRuns(runs) as [RunLine, RunLine];
    expect(rowsOfLine(line, undefined)).toEqual({ rows: 4, rowsDone: 3, rowsFailed: 1 });
    expect(rowsOfLine(chain, undefined)).toBeUndefined();
    expect(rowsOfLine(chain, counts)).toEqual({ rows: 10, rowsDone: 9, rowsFailed: 1 });
    expect(rowsOfLine(linesOfRuns([first])[0]!, undefined)).toMatchObject({ rows: 10, rowsDone: 1 });
    const [, , attempt] = withAttempts([chain], new Set(['r1']));
    expect(rowsOfLine(attempt!, counts)).toEqual({ rows: 8, rowsDone: 7, rowsFailed: 1 });
  });

  it('have actions: a chain is pinned by its first run, unpinned by all, and not rerun as a whole', () => {
    const running = runView({ runId: 'r9', chainId: 'r1', status: 'running', finishedAt: null });
    const [line] = linesOfRuns([running, rest, first]) as [RunLine];
    expect(fitOf('cancel', [line])).toEqual([running]);
    expect(fitOf('pin', [line])).toEqual([first]);
    expect(fitOf('rerun', [line])).toEqual([]);
    expect(fitOf('rerun', linesOfRuns([single]))).toEqual([single]);
    const pinned = { ...rest, labels: { isPinned: true as const } };
    const [withPin] = linesOfRuns([pinned, first]) as [RunLine];
    expect([fitOf('pin', [withPin]), fitOf('unpin', [withPin])]).toEqual([[], [pinned]]);
  });
});

describe('while the list is frozen', () => {
  const lines = linesOfRuns(runs);
  const frozen = freezeLines([lines[0]!, lines[2]!]);
  const hold = (fitting: readonly RunView[], all: readonly RunView[]) => {
    const list = applyFrozenOrder(frozen, linesOfRuns(fitting), linesOfRuns(all));
    return [ids(list.lines), list.waiting];
  };

  it('newer lines wait, and those that come to fit in between', () => {
    const all = [runView({ runId: 'r6' }), ...runs];
    expect(hold([...all.slice(0, 2), other], all)).toEqual([['r5', 'r2'], 1]);
    expect(hold(all, all)).toEqual([['r5', 'r2'], 2]);
  });

  it('a chain keeps its place when it gets an attempt or does not fit any more', () => {
    const attempt = runView({ runId: 'r7', chainId: 'r2', status: 'running' });
    const list = applyFrozenOrder(frozen, lines, linesOfRuns([attempt, ...runs]));
    expect(ids(list.lines)).toEqual(['r5', 'r2']);
    expect(list.lines[1]?.run).toBe(attempt);
    expect(hold([single], runs)).toEqual([['r5', 'r2'], 0]);
  });

  it('older lines come in below, and removed ones leave', () => {
    const older = runView({ runId: 'r0' });
    expect(hold([single, other, older], [...runs, older])).toEqual([['r5', 'r2', 'r0'], 0]);
    expect(hold([other], [other, first])).toEqual([['r2'], 0]);
  });

  it('it is not frozen any more where nothing is left, or nothing was', () => {
    const newer = runView({ runId: 'r6' });
    expect(hold([newer], [newer])).toEqual([['r6'], 0]);
    expect(freezeLines([])).toBeUndefined();
    expect(applyFrozenOrder(undefined, lines, lines).lines).toHaveLength(3);
  });
});
