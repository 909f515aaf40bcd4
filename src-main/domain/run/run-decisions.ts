// Decides how a run goes on where its rows, its limits or a user ask for it. Pure: a decision is the next record of the
// run, or the move to make; the caller stores it. Who calls: ActiveRun for runs of one server; TeamMoves, SegmentAttempts
// and settleRun for those of a team.
import { rowsAt } from '../scenarios/scenario.ts';
import { moveRun, rowsIn, wasCancelled, type MoveData, type RowCounts, type Run } from './run.ts';
import { canMove } from './run-status.ts';
import type { SpentBudget } from './spent-budget.ts';

/** Where a limit of a run may be reached: its committed rows, and its budget if that is spent. */
export type RunLimit = { readonly committedRows: number; readonly spentBudget?: SpentBudget | undefined };

/** The move that a limit of the run asks for; a pause with the record to pause, which says why. */
type LimitMove = { readonly move: 'cancel' } | { readonly move: 'pause'; readonly from: Run };

/** The move of a spent budget, else of the run's scenario; undefined: none, or the run has moved already. */
export function limitMove(run: Run, { committedRows, spentBudget }: RunLimit): LimitMove | undefined {
  const move = spentBudget === undefined ? moveAt(run, committedRows) : 'pause';
  if (move === undefined || !canMove(run.status, move)) return undefined;
  if (move === 'cancel') return { move };
  return {
    move,
    from: { ...run, ...(spentBudget === undefined ? { pausedByScenario: true } : { spentBudget }) },
  };
}

/**
 * A pausing run once none of its rows is in flight. Throws `move_not_allowed`.
 * @param tokensUsed tokens of the whole run: rows that were in flight have used some since the budget was spent
 */
export function settledRun({ spentBudget, ...run }: Run, data: MoveData, tokensUsed?: number): Run {
  if (spentBudget === undefined) return moveRun(run, 'settle', data);
  const spent = { ...spentBudget, used: tokensUsed ?? spentBudget.used };
  return moveRun({ ...run, spentBudget: spent }, 'settle', data);
}

/** A paused or pausing run that goes on, with as many tokens again if its budget is spent. Throws `move_not_allowed`. */
export const resumedRun = (run: Run, data: MoveData): Run => moveRun(withRaisedBudget(run), 'resume', data);

/**
 * A run whose rows have all ended: also one that was about to pause, or has just been resumed. It waits for no budget.
 * Throws `move_not_allowed`.
 */
export function completedRun(run: Run, data: MoveData): Run {
  const started = run.status === 'queued' ? moveRun(run, 'start', data) : run;
  return moveRun(withRaisedBudget(started), 'complete', data);
}

/** True if a run is complete with these counts: all rows have ended, and neither a failure nor its scenario comes first. */
export const completesWith = (
  run: Run,
  counts: RowCounts,
  { onRowError }: { readonly onRowError?: string | undefined },
): boolean =>
  rowsIn(counts) === run.rows &&
  !wasCancelled(counts) &&
  (onRowError !== 'fail' || counts.rowsFailed === 0) &&
  moveAt(run, run.rows) === undefined;

/** How long its scenario keeps the run in the queue from now on, in ms. `now` is wall time. */
export function queueDelayMs({ status, scenario, acceptedAt, clock }: Run, now: number): number {
  const whole = scenario?.['queued-for'] ?? 0;
  if (status !== 'queued' || clock === 'virtual') return 0;
  // The wall clock may have been set back since.
  return Math.min(whole, Math.max(0, Date.parse(acceptedAt) + whole - now));
}

/** Rows after which the run must halt, so that the scenario's move comes before the next row. */
export const stopsOf = (run: Run): readonly number[] =>
  [cancelsAt(run), pausesAt(run)].filter((rows) => rows !== undefined);

function moveAt(run: Run, committedRows: number): LimitMove['move'] | undefined {
  if (committedRows === cancelsAt(run)) return 'cancel';
  return committedRows === pausesAt(run) ? 'pause' : undefined;
}

function cancelsAt({ scenario, rows }: Run): number | undefined {
  const position = scenario?.['cancel-at'];
  return position && rowsAt(position, rows);
}

function pausesAt({ scenario, rows, pausedByScenario }: Run): number | undefined {
  const position = pausedByScenario ? undefined : scenario?.['pause-at'];
  return position && rowsAt(position, rows);
}

/** The record of a run that may use as many tokens again as its budget has, if that is spent. */
function withRaisedBudget({ spentBudget, ...run }: Run): Run {
  if (spentBudget === undefined) return run;
  return { ...run, tokensAllowed: spentBudget.used + spentBudget.tokens };
}
