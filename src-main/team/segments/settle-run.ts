// Decides how a run goes on when one of its segments has ended, or a user has requested a move. No other code ends a run
// of a team or sends its segments to the queue. It runs in a transaction that has locked the run.
import { isoTime, type Clock } from '../../base/clock.ts';
import { addStatistics } from '../../domain/results/node-statistics.ts';
import { type RunStatistics, addToThroughput, throughputFrom } from '../../domain/results/run-statistics.ts';
import {
  completedRun,
  limitMove,
  queueDelayMs,
  settledRun,
  type RunLimit,
} from '../../domain/run/run-decisions.ts';
import { moveRun, type MoveData, type RowCounts, type Run } from '../../domain/run/run.ts';
import { tokensOf } from '../../domain/run/spent-budget.ts';
import { unfinishedRows } from '../../executor/run/substitute-results.ts';
import { insertResults } from './insert-results.ts';
import type { CommittedProgress } from '../../storage/sqlite/stored-batches.ts';
import { saveLockedRun, type LockedRun } from './locked-run.ts';
import type { SegmentQueue } from './segment-queue.ts';
import type { Sql, Transaction } from '../sql.ts';

export type SettleDeps = {
  readonly queue: Pick<SegmentQueue, 'insert' | 'unclaimedRows'>;
  readonly clock: Clock;
};

/** A segment of a locked run, with its committed results. */
export type EndedSegment = {
  readonly firstRow: number;
  readonly rows: number;
  readonly progress: CommittedProgress;
};

/** Numbers of a run's segments that have not ended. */
export type SegmentCounts = {
  readonly running: number;
  readonly queued: number;
  readonly waiting: number;
  /** Waiting, queued and running ones before the failed one; without a failed one: all of them. */
  readonly left: number;
};

/** Adds a segment that has ended to what the run's row counts. */
export async function addEnded(
  sql: Sql,
  locked: LockedRun,
  { segment, clock }: { readonly segment: EndedSegment; readonly clock: Clock },
): Promise<LockedRun> {
  const { firstRow, progress } = segment;
  const before = locked.ended;
  const counts = addCounts(before.counts, progress.counts);
  const traceBytes = before.traceBytes + progress.traceBytes;
  const statistics = statisticsWith(locked, progress, clock.now());
  await sql.query(
    `update rowbench.runs set rows_done = $2, rows_failed = $3, rows_unfinished = $4, trace_bytes = $5,
       statistics = $6, failed_segment = $8, segments_left = segments_left - 1,
       bytes = bytes + (select bytes from rowbench.segments where owner = $1 and first_row = $7)
     where owner = $1`,
    [
      locked.owner,
      counts.rowsDone,
      counts.rowsFailed,
      counts.rowsUnfinished ?? 0,
      traceBytes,
      statistics === undefined ? null : JSON.stringify(statistics),
      firstRow,
      locked.failedSegment ?? null,
    ],
  );
  return { ...locked, ended: { counts, traceBytes, statistics } };
}

/** Ends, pauses or continues the run, as its segments allow. Returns its record then. */
export async function settleRun(
  sql: Transaction,
  locked: LockedRun,
  { counts: known, ...deps }: SettleDeps & { readonly counts?: SegmentCounts },
): Promise<Run> {
  const { owner, run, failedSegment, isCancelRequested } = locked;
  if (run.finishedAt !== null) return run;
  const counts = known ?? (await countSegments(sql, owner, failedSegment));
  if (isCancelRequested) return counts.running > 0 ? run : cancelRun(sql, locked, deps);
  if (failedSegment !== undefined && counts.left === 0)
    return counts.running > 0 ? run : failRun(sql, { ...locked, failedSegment }, deps);
  if (run.status === 'paused') return run;
  if (counts.left === 0) return save(sql, owner, completedRun(run, now(locked.ended.counts, deps)));
  if (run.status === 'pausing') return counts.running > 0 ? run : settlePause(sql, locked, deps);
  await fillQueue(sql, locked, { ...deps, counts });
  return run;
}

async function settlePause(
  sql: Transaction,
  { owner, run, ended }: LockedRun,
  deps: SettleDeps,
): Promise<Run> {
  const data = now(ended.counts, deps);
  if (run.spentBudget === undefined) return save(sql, owner, settledRun(run, data));
  const begun = await sql.query<{ statistics: string }>(
    `select statistics from rowbench.segments
     where owner = $1 and state in ('waiting', 'queued') and statistics is not null`,
    [owner],
  );
  const statistics = begun.map(({ statistics: text }) => JSON.parse(text) as RunStatistics);
  const used = tokensOf([...statistics, ended.statistics].flatMap((of) => of?.nodes ?? []));
  return save(sql, owner, settledRun(run, data, used));
}

/**
 * Makes the move that the run's scenario asks for, before the next row begins; only for runs whose rows run in order.
 * Returns the run after the move.
 * @param deps begunRows: committed rows of the segment that has not ended
 */
export async function obeyScenario(
  sql: Transaction,
  locked: LockedRun,
  { begunRows = 0, ...deps }: SettleDeps & { readonly begunRows?: number },
): Promise<LockedRun> {
  const { run, ended, queuedSegments } = locked;
  if (queuedSegments > 1 || run.status !== 'running') return locked;
  const { rowsDone, rowsFailed } = ended.counts;
  return obeyLimit(sql, locked, { ...deps, limit: { committedRows: rowsDone + rowsFailed + begunRows } });
}

/** Pauses the run, or requests its cancel, where its scenario or its budget says so. Returns the run after the move. */
export async function obeyLimit(
  sql: Transaction,
  locked: LockedRun,
  { limit, ...deps }: SettleDeps & { readonly limit: RunLimit },
): Promise<LockedRun> {
  const { run, ended, owner } = locked;
  const decided = limitMove(run, limit);
  if (decided === undefined) return locked;
  if (decided.move === 'cancel') return requestCancel(sql, locked);
  return { ...locked, run: await save(sql, owner, moveRun(decided.from, 'pause', now(ended.counts, deps))) };
}

/** Stores that no segment of the run may begin, and that the run is cancelled once none is under way. */
export async function requestCancel(sql: Transaction, locked: LockedRun): Promise<LockedRun> {
  const { owner, run } = locked;
  await sql.query(`update rowbench.runs set requested_action = 'cancel' where owner = $1`, [owner]);
  await saveLockedRun(sql, owner, run);
  return { ...locked, isCancelRequested: true };
}

/** Sends waiting segments to the queue, in the order of their rows. */
async function fillQueue(
  sql: Transaction,
  { owner, run, queuedSegments, failedSegment }: LockedRun,
  { counts, queue, clock }: SettleDeps & { readonly counts: SegmentCounts },
): Promise<void> {
  const room = Math.min(counts.waiting, queuedSegments - counts.queued - counts.running);
  if (room <= 0) return;
  const isSingle = counts.waiting === 1 && counts.queued === 0 && counts.running === 0;
  const sent = await sql.query<{ first_row: number }>(
    `update rowbench.segments set state = 'queued', changed_at = now()
     where owner = $1 and first_row in (
       select first_row from rowbench.segments
       where owner = $1 and state = 'waiting' and first_row < coalesce($2, 2147483647)
       order by first_row limit $3
     ) returning first_row`,
    [owner, failedSegment ?? null, room],
  );
  const firstRows = sent.map(({ first_row: firstRow }) => firstRow).sort((one, other) => one - other);
  await queue.insert(
    firstRows.map((firstRow) => ({ owner, firstRow })),
    sql,
    { isSingle, delayMs: queueDelayMs(run, clock.now()) },
  );
}

/** Sets segments of lost workers to `waiting`. Only for runs that pause or end: other workers may be gone, too. */
export async function takeBackLost(sql: Sql, { owner }: LockedRun, { queue }: SettleDeps): Promise<void> {
  await sql.query(
    `update rowbench.segments set state = 'waiting', changed_at = now()
     where owner = $1 and state = 'running' and first_row = any($2)`,
    [owner, await queue.unclaimedRows(owner, sql)],
  );
}

export async function countSegments(
  sql: Sql,
  owner: number,
  failedSegment: number | undefined,
): Promise<SegmentCounts> {
  const [counts] = await sql.query<SegmentCounts>(
    `select count(*) filter (where state = 'running') as running,
       count(*) filter (where state = 'queued') as queued,
       count(*) filter (where state = 'waiting') as waiting,
       count(*) filter (where first_row < coalesce($2, 2147483647)) as left
     from rowbench.segments where owner = $1 and state in ('waiting', 'queued', 'running')`,
    [owner, failedSegment ?? null],
  );
  return counts ?? { running: 0, queued: 0, waiting: 0, left: 0 };
}

/** Cancels a run without running segments. Rows without a result before the last result count as unfinished. */
async function cancelRun(sql: Transaction, locked: LockedRun, deps: SettleDeps): Promise<Run> {
  const { owner, run } = locked;
  const segments = await openSegments(sql, owner);
  const lastRow = await lastResult(sql, owner);
  let counts = locked.ended.counts;
  for (const { first_row: firstRow, rows, committed, ...columns } of segments) {
    counts = addCounts(counts, {
      rowsDone: columns.rows_done,
      rowsFailed: columns.rows_failed,
      rowsUnfinished: columns.rows_unfinished,
    });
    const missing = Math.min(firstRow + rows - 1, lastRow) - (firstRow + committed - 1);
    if (missing <= 0) continue;
    const results = { ...unfinishedRows(missing), firstRow: firstRow + committed, rowsFailed: 0 };
    await insertResults(sql, owner, results);
    counts = addCounts(counts, { rowsDone: 0, rowsFailed: 0, rowsUnfinished: missing });
  }
  await sql.query(
    `update rowbench.runs set bytes = bytes + (
       select coalesce(sum(bytes), 0) from rowbench.segments where owner = $1 and state in ('waiting', 'queued')
     ) where owner = $1`,
    [owner],
  );
  await dropSegments(sql, owner);
  await storeCounts(sql, owner, counts);
  return save(sql, owner, moveRun(run, 'cancel', now(counts, deps)));
}

/** Ends a run with the error of its first failed segment, and removes the results of later rows. */
async function failRun(
  sql: Transaction,
  { owner, run, failedSegment }: LockedRun & { readonly failedSegment: number },
  deps: SettleDeps,
): Promise<Run> {
  await dropSegments(sql, owner);
  const [sums] = await sql.query<{ done: number; failed: number; error: string | null; after: number }>(
    `select sum(rows_done)::integer as done, sum(rows_failed)::integer as failed,
       max(error) filter (where first_row = $2) as error,
       max(first_row + rows) as after
     from rowbench.segments where owner = $1 and first_row <= $2`,
    [owner, failedSegment],
  );
  const counts = { rowsDone: sums?.done ?? 0, rowsFailed: sums?.failed ?? 0 };
  const after = sums?.after ?? failedSegment;
  await sql.query('delete from rowbench.output_batches where owner = $1 and first_row >= $2', [owner, after]);
  await sql.query('delete from rowbench.pieces where owner = $1 and kind = 1 and first_row >= $2', [
    owner,
    after,
  ]);
  await storeCounts(sql, owner, counts);
  const error = sums?.error ?? 'A row failed';
  return save(sql, owner, moveRun(run, 'fail', { ...now(counts, deps), error }));
}

const openSegments = (sql: Sql, owner: number) =>
  sql.query<{
    first_row: number;
    rows: number;
    rows_done: number;
    rows_failed: number;
    rows_unfinished: number;
    committed: number;
  }>(
    `select first_row, rows, rows_done, rows_failed, rows_unfinished,
       rows_done + rows_failed + rows_unfinished as committed
     from rowbench.segments where owner = $1 and state in ('waiting', 'queued') order by first_row`,
    [owner],
  );

async function lastResult(sql: Sql, owner: number): Promise<number> {
  const [last] = await sql.query<{ row: number }>(
    `select first_row + rows - 1 as row from rowbench.output_batches
     where owner = $1 order by first_row desc limit 1`,
    [owner],
  );
  return last?.row ?? 0;
}

const dropSegments = (sql: Sql, owner: number) =>
  sql.query(
    `update rowbench.segments set state = 'dropped', changed_at = now()
     where owner = $1 and state in ('waiting', 'queued')`,
    [owner],
  );

const storeCounts = (sql: Sql, owner: number, { rowsDone, rowsFailed, rowsUnfinished = 0 }: RowCounts) =>
  sql.query(
    `update rowbench.runs set rows_done = $2, rows_failed = $3, rows_unfinished = $4, segments_left = 0
     where owner = $1`,
    [owner, rowsDone, rowsFailed, rowsUnfinished],
  );

/** Time and counts of a move that is made now. */
const now = (counts: RowCounts, { clock }: Pick<SettleDeps, 'clock'>): MoveData => ({
  at: isoTime(clock),
  counts,
});

async function save(sql: Transaction, owner: number, run: Run): Promise<Run> {
  await saveLockedRun(sql, owner, run);
  return run;
}

function addCounts(one: RowCounts, other: RowCounts): RowCounts {
  const rowsUnfinished = (one.rowsUnfinished ?? 0) + (other.rowsUnfinished ?? 0);
  return {
    rowsDone: one.rowsDone + other.rowsDone,
    rowsFailed: one.rowsFailed + other.rowsFailed,
    ...(rowsUnfinished === 0 ? {} : { rowsUnfinished }),
  };
}

/** Statistics with the throughput of a run, which counts rows when their segment ends. */
function statisticsWith(
  { run, ended }: LockedRun,
  { statistics }: CommittedProgress,
  nowMs: number,
): RunStatistics | undefined {
  if (statistics === undefined) return ended.statistics;
  const before = ended.statistics ?? { rows: 0, nodes: [] };
  return {
    rows: before.rows + statistics.rows,
    nodes: addStatistics([before.nodes, statistics.nodes]),
    pace: addToThroughput(before.pace ?? throughputFrom(Date.parse(run.startedAt)), nowMs, statistics.rows),
  };
}
