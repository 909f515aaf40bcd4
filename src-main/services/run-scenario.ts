// Derives the moves of a run from its scenario. Pure. Who calls: ActiveRun, which makes these moves through the same
// verbs as users do, so that their statuses are real.
import { rowsIn, wasCancelled, type RowCounts, type Run } from '../domain/run/run.ts';
import { rowsAt } from '../domain/scenarios/scenario.ts';
import type { Plan, RowScenario } from '../executor/plan.ts';

/** The scenario's effects on single rows. */
export function rowScenarioOf({ scenario = {} }: Pick<Run, 'scenario'>): RowScenario {
  const { 'fail-row': failRow, slow: slowMs } = scenario;
  return { ...(failRow === undefined ? {} : { failRow }), ...(slowMs === undefined ? {} : { slowMs }) };
}

/** How long it keeps the run in the queue from now on, in ms. `now` is wall time. */
export function queueDelayMs({ status, scenario, acceptedAt, clock }: Run, now: number): number {
  const whole = scenario?.['queued-for'] ?? 0;
  if (status !== 'queued' || clock === 'virtual') return 0;
  // The wall clock may have been set back since.
  return Math.min(whole, Math.max(0, Date.parse(acceptedAt) + whole - now));
}

/** Rows after which the run must halt, so that the scenario's move comes before the next row. */
export const stopsOf = (run: Run): readonly number[] =>
  [cancelsAt(run), pausesAt(run)].filter((rows) => rows !== undefined);

/** The scenario's move once that many rows are committed; undefined: none. */
export function moveAt(run: Run, committedRows: number): 'pause' | 'cancel' | undefined {
  if (committedRows === cancelsAt(run)) return 'cancel';
  return committedRows === pausesAt(run) ? 'pause' : undefined;
}

/** True if a run is complete with these counts: all rows have ended, and neither a failure nor its scenario comes first. */
export const completesWith = (
  run: Run,
  counts: RowCounts,
  { onRowError }: Pick<Plan, 'onRowError'>,
): boolean =>
  rowsIn(counts) === run.rows &&
  !wasCancelled(counts) &&
  (onRowError !== 'fail' || counts.rowsFailed === 0) &&
  moveAt(run, run.rows) === undefined;

function cancelsAt({ scenario, rows }: Run): number | undefined {
  const position = scenario?.['cancel-at'];
  return position && rowsAt(position, rows);
}

function pausesAt({ scenario, rows, pausedByScenario }: Run): number | undefined {
  const position = pausedByScenario ? undefined : scenario?.['pause-at'];
  return position && rowsAt(position, rows);
}
