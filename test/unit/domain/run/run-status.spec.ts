import { describe, expect, it } from 'vitest';
import {
  canMove,
  isFinal,
  runMoves,
  runStatuses,
  type RunMove,
  type RunStatus,
} from '../../../../src-main/domain/run/run-status.ts';
import { nextStatus } from '../../../../src-main/domain/run/run.ts';

// The whole life of a run, written out once more so that a slip in the table is seen.
const allowed: readonly (readonly [RunStatus, RunMove, RunStatus])[] = [
  ['queued', 'start', 'running'],
  ['queued', 'pause', 'paused'],
  ['queued', 'cancel', 'cancelled'],
  ['running', 'pause', 'pausing'],
  ['running', 'complete', 'completed'],
  ['running', 'fail', 'failed'],
  ['running', 'cancel', 'cancelled'],
  ['pausing', 'settle', 'paused'],
  ['pausing', 'resume', 'running'],
  ['pausing', 'complete', 'completed'],
  ['pausing', 'fail', 'failed'],
  ['pausing', 'cancel', 'cancelled'],
  ['paused', 'resume', 'queued'],
  ['paused', 'cancel', 'cancelled'],
];

/** Where there is nothing left to ask for, the refusal says so. */
const already = ['pausing pause', 'paused pause', 'queued resume', 'running resume', 'cancelled cancel'];
const wordsFor = (from: RunStatus, move: RunMove): string =>
  already.includes(`${from} ${move}`) ? `The run is already ${from}` : `A ${from} run cannot `;

describe('run status', () => {
  it.each(allowed)('%s + %s becomes %s', (from, move, to) => {
    expect(nextStatus(from, move)).toBe(to);
  });

  it('refuses every other move', () => {
    const key = (from: RunStatus, move: RunMove): string => `${from} ${move}`;
    const legal = new Set(allowed.map(([from, move]) => key(from, move)));
    const others = runStatuses.flatMap((from) =>
      runMoves.filter((move) => !legal.has(key(from, move))).map((move) => [from, move] as const),
    );
    expect(others).toHaveLength(runStatuses.length * runMoves.length - allowed.length);
    for (const [from, move] of others) {
      expect(canMove(from, move), key(from, move)).toBe(false);
      expect(() => nextStatus(from, move)).toThrow(wordsFor(from, move));
    }
  });

  it('is final when completed, failed or cancelled', () => {
    expect(runStatuses.filter(isFinal)).toEqual(['completed', 'failed', 'cancelled']);
  });

  it('uses exactly the words of the interface', () => {
    expect([...runStatuses].sort()).toEqual(
      ['queued', 'running', 'completed', 'failed', 'cancelled', 'pausing', 'paused'].sort(),
    );
  });
});
