// The transactions of one attempt at a segment: it begins, commits results, and ends or is given back. Each transaction
// first checks that the attempt is still the latest one, so that a late worker changes nothing. Who calls: SegmentRun.
import { isDeepStrictEqual } from 'node:util';
import { isoTime } from '../../base/clock.ts';
import { moveRun, rowsIn, type Run } from '../../domain/run/run.ts';
import { isFinal } from '../../domain/run/run-status.ts';
import type { ResultsCommit } from '../../storage/sqlite/store-writer.ts';
import { interruption } from '../../services/runs/recovery.ts';
import { insertResults } from './insert-results.ts';
import { lockRun, progressOf, storeRecord, type LockedRun, type RowColumns } from './locked-run.ts';
import type { CommittedProgress } from '../../storage/sqlite/stored-batches.ts';
import { type PinnedCassette, insertCalls, type RecordedCalls } from './segment-cassette.ts';
import type { SegmentAttempt, SegmentQueue } from './segment-queue.ts';
import { addEnded, countSegments, obeyScenario, settleRun, type SettleDeps } from './settle-run.ts';
import { commitUnflushed, type Sql, type TeamSql, type Transaction } from '../sql.ts';
import type { SegmentCounters } from '../admin/team-metrics.ts';
import { withStoreErrors } from '../team-errors.ts';

/** A segment that this process runs, with its committed results. */
export type BegunSegment = {
  readonly attempt: SegmentAttempt;
  readonly run: Run;
  /** JSON of RunAccess. */
  readonly access: string | undefined;
  readonly pinned: PinnedCassette | undefined;
  readonly firstRow: number;
  readonly rows: number;
  readonly progress: CommittedProgress;
  /** Results of the run's segments that have ended. */
  readonly ended: CommittedProgress;
  /** Consecutive attempts that ended without a commit and without a report. */
  readonly failedAttempts: number;
};

/** How an attempt ends: all rows have results, or a row failed that fails the run. */
export type SegmentEnd = { readonly state: 'done' } | { readonly state: 'failed'; readonly error: string };

/** Further changes in the transaction that stores results. */
type CommitExtras = { readonly end: SegmentEnd | undefined; readonly recorded: RecordedCalls | undefined };

/** Thrown when another worker has taken over the segment, or no worker may run it any more. */
export class AttemptOver extends Error {
  override readonly name = 'AttemptOver';
  constructor() {
    super('The segment is no longer this worker’s');
  }
}

type AttemptsDeps = SettleDeps & {
  readonly database: TeamSql;
  readonly queue: SegmentQueue;
  /** Name of this worker, for people. */
  readonly worker: string;
  readonly counters: SegmentCounters;
};

type SegmentColumns = RowColumns & {
  readonly rows: number;
  readonly state: string;
  readonly failed_attempts: number;
  readonly rows_at_attempt: number;
};

export class SegmentAttempts {
  readonly #deps: AttemptsDeps;

  constructor(deps: AttemptsDeps) {
    this.#deps = deps;
  }

  /** Begins an attempt; undefined if the segment needs none: then its job has ended. */
  begin(attempt: SegmentAttempt): Promise<BegunSegment | undefined> {
    const { owner, firstRow } = attempt.data;
    return this.#change(async (sql) => {
      const [locked, segment] = await Promise.all([lockRun(sql, owner), segmentOf(sql, attempt)]);
      if (locked === undefined || segment === undefined || !mayBegin(locked, segment, firstRow))
        return this.#decline(sql, attempt, locked);
      const progress = progressOf(segment);
      const committed = rowsIn(progress.counts);
      const isRepeated = segment.state === 'running';
      if (isRepeated) this.#deps.counters.takenOver();
      const failedAttempts =
        isRepeated && committed <= segment.rows_at_attempt ? segment.failed_attempts + 1 : 0;
      const run = started(locked, this.#deps);
      // Its worker may have ended between the row of the scenario and the move.
      const now = await obeyScenario(sql, { ...locked, run }, { ...this.#deps, begunRows: committed });
      if (now.run.status !== 'running' || now.isCancelRequested) return this.#decline(sql, attempt, now);
      const { rows } = segment;
      const { access, pinned, ended } = locked;
      const begun = { attempt, run, access, pinned, firstRow, rows, progress, ended, failedAttempts };
      const error = interruption({ ...run, fruitlessRecoveries: failedAttempts });
      if (error === undefined) await this.#noteAttempt(sql, locked, begun);
      else await this.#end(sql, now, { begun, end: { state: 'failed', error } });
      return error === undefined ? begun : undefined;
    });
  }

  /**
   * Stores results, and the calls that their rows recorded. With `end`, these are the last results, and end the segment in
   * the same transaction. Throws `AttemptOver`.
   */
  async commit(begun: BegunSegment, commit: ResultsCommit, more: CommitExtras): Promise<void> {
    const { counters } = this.#deps;
    try {
      await this.#commit(begun, commit, more);
      counters.committed(commit.batch.rows);
    } catch (error) {
      if (error instanceof AttemptOver) counters.refused();
      throw error;
    }
  }

  /** Ends the segment. Throws `AttemptOver`. */
  end(begun: BegunSegment, end: SegmentEnd): Promise<void> {
    return this.#change(async (sql) => {
      await this.#end(sql, await lockRun(sql, begun.attempt.data.owner), { begun, end });
    });
  }

  /** Gives the segment back: it goes to the queue again if its run goes on. Throws `AttemptOver`. */
  release({ attempt }: BegunSegment): Promise<void> {
    const { queue } = this.#deps;
    return this.#change(async (sql) => {
      const locked = await lockRun(sql, attempt.data.owner);
      if (!(await queue.complete(attempt, sql)) || locked === undefined) throw new AttemptOver();
      await this.#giveBack(sql, attempt);
      await settleRun(sql, locked, this.#deps);
    });
  }

  /**
   * Stores that the attempt has begun, and the start of the run. If the database crashes before it has flushed an attempt,
   * the rows begin again, as after a crash of the worker; a run that is reported as running stays so.
   */
  async #noteAttempt(
    sql: Sql,
    locked: LockedRun,
    { run, firstRow, failedAttempts, progress }: BegunSegment,
  ): Promise<void> {
    await Promise.all([
      sql.query(
        `update rowbench.segments set state = 'running', worker = $3, failed_attempts = $4, rows_at_attempt = $5,
           changed_at = now() where owner = $1 and first_row = $2`,
        [locked.owner, firstRow, this.#deps.worker, failedAttempts, rowsIn(progress.counts)],
      ),
      // Servers find the start with the progress of the run.
      run === locked.run ? commitUnflushed(sql) : storeRecord(sql, locked.owner, run),
    ]);
  }

  #commit(begun: BegunSegment, commit: ResultsCommit, { end, recorded }: CommitExtras): Promise<void> {
    return this.#change(async (sql) => {
      const [locked, isNew] = await Promise.all([
        end === undefined ? this.#assertCounts(sql, begun) : lockRun(sql, begun.attempt.data.owner),
        advanceSegment(sql, begun, commit),
      ]);
      if (!isNew) return this.#assertStored(sql, begun, { commit, end });
      await Promise.all([
        insertResults(sql, begun.attempt.data.owner, commit.batch),
        recorded && insertCalls(sql, recorded),
        end && this.#end(sql, locked, { begun: { ...begun, progress: commit }, end }),
      ]);
    });
  }

  /** Throws `AttemptOver` if another worker has the segment. */
  async #assertCounts(sql: Sql, { attempt }: BegunSegment): Promise<undefined> {
    if (!(await this.#deps.queue.touch([attempt], sql)).has(attempt.id)) throw new AttemptOver();
  }

  /** Throws `AttemptOver` unless the results were stored before, and only the answer to that commit was lost. */
  async #assertStored(
    sql: Sql,
    { attempt }: BegunSegment,
    { commit, end }: { readonly commit: ResultsCommit; readonly end: SegmentEnd | undefined },
  ): Promise<void> {
    const segment = await segmentOf(sql, attempt);
    const { counts, traceBytes, statistics } = commit;
    const isStored =
      segment !== undefined &&
      isDeepStrictEqual(progressOf(segment), JSON.parse(JSON.stringify({ counts, traceBytes, statistics })));
    // The attempt counts, or has ended the segment.
    if (!isStored || (end !== undefined && !(await this.#deps.queue.hasCompleted(attempt, sql))))
      throw new AttemptOver();
  }

  /** Throws `out_of_resources` if the database does not answer: the caller may try the change again. */
  #change<Result>(act: (sql: Transaction) => Promise<Result>): Promise<Result> {
    return withStoreErrors(() => this.#deps.database.transaction(act));
  }

  /** Throws `AttemptOver`. */
  async #end(
    sql: Transaction,
    locked: LockedRun | undefined,
    { begun, end }: { readonly begun: BegunSegment; readonly end: SegmentEnd },
  ): Promise<void> {
    if (locked === undefined) throw new AttemptOver();
    const { queue, clock } = this.#deps;
    const { attempt, firstRow } = begun;
    const { owner } = locked;
    const hasFailed = end.state === 'failed';
    const failedSegment = hasFailed
      ? Math.min(firstRow, locked.failedSegment ?? Infinity)
      : locked.failedSegment;
    const [isLatest, , ended, counts] = await Promise.all([
      queue.complete(attempt, sql),
      sql.query(
        `update rowbench.segments set state = $3, error = $4, failed_attempts = 0, changed_at = now()
         where owner = $1 and first_row = $2`,
        [owner, firstRow, end.state, hasFailed ? end.error : null],
      ),
      addEnded(sql, { ...locked, failedSegment }, { segment: begun, clock }),
      countSegments(sql, owner, failedSegment),
    ]);
    if (!isLatest) throw new AttemptOver();
    const now = hasFailed ? ended : await obeyScenario(sql, ended, this.#deps);
    await settleRun(sql, now, { ...this.#deps, counts });
  }

  /** Ends the job of a segment that may not begin now. */
  async #decline(
    sql: Transaction,
    attempt: SegmentAttempt,
    locked: LockedRun | undefined,
  ): Promise<undefined> {
    if (locked !== undefined) await this.#giveBack(sql, attempt);
    await this.#deps.queue.complete(attempt, sql);
    if (locked !== undefined) await settleRun(sql, locked, this.#deps);
  }

  /** Leaves the segment's future to `settleRun`. */
  async #giveBack(sql: Sql, { data: { owner, firstRow } }: SegmentAttempt): Promise<void> {
    await sql.query(
      `update rowbench.segments set state = 'waiting', changed_at = now()
       where owner = $1 and first_row = $2 and state in ('queued', 'running')`,
      [owner, firstRow],
    );
  }
}

async function segmentOf(sql: Sql, { data }: SegmentAttempt): Promise<SegmentColumns | undefined> {
  const [found] = await sql.query<SegmentColumns>(
    `select rows, state, failed_attempts, rows_at_attempt, rows_done, rows_failed, rows_unfinished, trace_bytes,
       statistics
     from rowbench.segments where owner = $1 and first_row = $2 for update`,
    [data.owner, data.firstRow],
  );
  return found;
}

/** Adds results to the counts of a segment. False, without a change, if the results do not begin at its next row. */
async function advanceSegment(
  sql: Sql,
  { attempt, firstRow }: BegunSegment,
  { batch, counts, traceBytes, statistics }: ResultsCommit,
): Promise<boolean> {
  const { owner } = attempt.data;
  const committed = batch.firstRow - firstRow;
  const { outputs, states, trace } = batch;
  const changed = await sql.query(
    `update rowbench.segments set rows_done = $4, rows_failed = $5, rows_unfinished = $6, trace_bytes = $7,
       statistics = $8, bytes = bytes + $9, changed_at = now()
     where owner = $1 and first_row = $2 and rows_done + rows_failed + rows_unfinished = $3 returning owner`,
    [
      owner,
      firstRow,
      committed,
      counts.rowsDone,
      counts.rowsFailed,
      counts.rowsUnfinished ?? 0,
      traceBytes,
      JSON.stringify(statistics),
      outputs.length + states.length + trace.length,
    ],
  );
  return changed.length === 1;
}

/** The locked run as it is with an attempt under way. */
const started = ({ run, ended }: LockedRun, { clock }: Pick<SettleDeps, 'clock'>): Run =>
  run.status === 'queued' ? moveRun(run, 'start', { at: isoTime(clock), counts: ended.counts }) : run;

function mayBegin(
  { run, isCancelRequested, failedSegment }: LockedRun,
  { state }: SegmentColumns,
  firstRow: number,
): boolean {
  if (isCancelRequested || isFinal(run.status) || (state !== 'queued' && state !== 'running')) return false;
  if (failedSegment !== undefined && firstRow > failedSegment) return false;
  return run.status === 'queued' || run.status === 'running';
}
