// Locks the row of a run until the transaction ends. Every change of a run begins with this lock, so that servers and workers
// change a run one at a time.
import type { Run } from '../../domain/run/run.ts';
import type { RunStatistics } from '../../domain/results/run-statistics.ts';
import type { CommittedProgress } from '../../storage/sqlite/stored-batches.ts';
import type { PinnedCassette } from './segment-cassette.ts';
import type { Sql, Transaction } from '../sql.ts';

/** Channel for the id of each run whose record or segments have changed. */
export const runsChannel = 'rowbench_runs';

export type LockedRun = {
  readonly owner: number;
  readonly run: Run;
  /** Results of the segments that have ended. */
  readonly ended: CommittedProgress;
  /** Segments that may be in the queue or under way at the same time. */
  readonly queuedSegments: number;
  readonly isCancelRequested: boolean;
  /** First row of the first segment with a failure that fails the run. */
  readonly failedSegment: number | undefined;
  /** JSON of RunAccess. */
  readonly access: string | undefined;
  /** Absent: the run neither records nor replays. */
  readonly pinned: PinnedCassette | undefined;
};

export type RowColumns = {
  readonly rows_done: number;
  readonly rows_failed: number;
  readonly rows_unfinished: number;
  readonly trace_bytes: number;
  readonly statistics: string | null;
};

type RunColumns = RowColumns & {
  readonly owner: number;
  readonly record: string;
  readonly queued_segments: number;
  readonly requested_action: string | null;
  readonly failed_segment: number | null;
  readonly access: string | null;
  readonly cassette: string | null;
};

/** Locks a run by its id or by its owner number; undefined if there is no such run. */
export async function lockRun(sql: Sql, key: string | number): Promise<LockedRun | undefined> {
  const [found] = await sql.query<RunColumns>(
    `select owner, record, queued_segments, requested_action, failed_segment, access, cassette,
       rows_done, rows_failed, rows_unfinished, trace_bytes, statistics
     from rowbench.runs where ${typeof key === 'string' ? 'run_id' : 'owner'} = $1 for update`,
    [key],
  );
  return (
    found && {
      owner: found.owner,
      run: JSON.parse(found.record) as Run,
      ended: progressOf(found),
      queuedSegments: found.queued_segments,
      isCancelRequested: found.requested_action === 'cancel',
      failedSegment: found.failed_segment ?? undefined,
      access: found.access ?? undefined,
      pinned: found.cassette === null ? undefined : (JSON.parse(found.cassette) as PinnedCassette),
    }
  );
}

/** Stores the record of a locked run, and notifies the servers. */
export async function saveLockedRun(sql: Transaction, owner: number, run: Run): Promise<void> {
  await storeRecord(sql, owner, run);
  sql.notify(runsChannel, run.runId);
}

/** Stores the record of a locked run. */
export async function storeRecord(sql: Sql, owner: number, run: Run): Promise<void> {
  const endedAtMs = run.finishedAt === null ? null : (run.retentionStamp ?? Date.parse(run.finishedAt));
  await sql.query('update rowbench.runs set status = $2, ended_at_ms = $3, record = $4 where owner = $1', [
    owner,
    run.status,
    endedAtMs,
    JSON.stringify(run),
  ]);
}

export const progressOf = (columns: RowColumns): CommittedProgress => ({
  counts: {
    rowsDone: columns.rows_done,
    rowsFailed: columns.rows_failed,
    ...(columns.rows_unfinished === 0 ? {} : { rowsUnfinished: columns.rows_unfinished }),
  },
  traceBytes: columns.trace_bytes,
  statistics: columns.statistics === null ? undefined : (JSON.parse(columns.statistics) as RunStatistics),
});
