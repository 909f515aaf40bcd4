// One attempt at a segment on this machine: its rows run as those of a local run do, and their results are committed only
// while the attempt counts. Who calls: SegmentWorker.
// INVARIANT: when `run` has settled, no node of the segment runs on this machine any more.
import type { BatchResult } from '../../domain/run/stored-run.ts';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { invariant } from '../../base/invariant.ts';
import { sleep } from '../../base/sleep.ts';
import { VirtualClock } from '../../base/virtual-clock.ts';
import { notExecuted } from '../../domain/run-errors.ts';
import { addStatistics } from '../../domain/results/node-statistics.ts';
import { rowsIn, type Run } from '../../domain/run/run.ts';
import { isRefusedForNow } from '../../domain/store-errors.ts';
import type { WorkerPool } from '../../executor/pool/worker-pool.ts';
import type { Plan } from '../../executor/plan.ts';
import type {
  OutputSink,
  RowReader,
  SharedAnswers,
  Upstream,
  WorkflowCassette,
} from '../../executor/ports.ts';
import { RunExecution } from '../../executor/run/run-execution.ts';
import type { ExecutionOutcome } from '../../executor/run/run-execution-options.ts';
import type { PlanCache } from '../../services/runs/plan-cache.ts';
import { recoveryDelayMs, shortageDelayMs } from '../../services/runs/recovery.ts';
import { budgetOf } from '../../services/runs/run-budget.ts';
import { stopsOf } from '../../domain/run/run-decisions.ts';
import { rowScenarioOf } from '../../executor/plan.ts';
import { RunResults } from '../../storage/runs/run-results.ts';
import { RunRowReader } from '../../storage/runs/run-row-reader.ts';
import type { StoreDatabase } from '../../storage/runs/store-database.ts';
import type { ResultsCommit } from '../../storage/sqlite/store-writer.ts';
import { AttemptOver, type BegunSegment, type SegmentAttempts, type SegmentEnd } from './segment-attempts.ts';
import { SegmentCassette, type PinnedCassettes } from './segment-cassette.ts';
import type { SegmentAttempt, SegmentQueue } from './segment-queue.ts';
import type { TeamMoves } from './team-moves.ts';
import type { TeamSql } from '../sql.ts';

/** Needed for all segments that this process runs. */
export type SegmentDeps = {
  readonly database: TeamSql;
  readonly queue: SegmentQueue;
  /** Segments that run at the same time. */
  readonly slots: number;
  readonly attempts: SegmentAttempts;
  readonly moves: TeamMoves;
  readonly rows: Pick<StoreDatabase, 'read'>;
  readonly plans: PlanCache;
  readonly pool: WorkerPool;
  readonly cassettes: PinnedCassettes;
  readonly upstreamOf: (run: Run, segment: SegmentCalls) => Promise<Upstream>;
  readonly clock: Clock;
  readonly log: Log;
  readonly maxTraceBytes?: number | undefined;
};

type SegmentRunDeps = SegmentDeps & { readonly answersOf: (attempt: SegmentAttempt) => SharedAnswers };

/** Access and recordings for the calls of a segment. */
type SegmentCalls = {
  /** JSON of RunAccess, as it was allowed at acceptance. */
  readonly access: string | undefined;
  /** For a run that records or replays. */
  readonly cassette: () => WorkflowCassette;
  readonly sharedAnswers: () => SharedAnswers;
};

/** Requests to the workers of a run, in rising priority. */
const requests = ['go on', 'pause', 'cancel', 'drop'] as const;
export type Request = (typeof requests)[number];

export class SegmentRun implements OutputSink {
  readonly begun: BegunSegment;
  readonly #deps: SegmentRunDeps;
  readonly #ended = new AbortController();
  /** Absent: the run neither records nor replays. */
  readonly #cassette: SegmentCassette | undefined;
  #results: RunResults | undefined;
  #execution: RunExecution | undefined;
  #upstream: Upstream | undefined;
  #plan: Plan | undefined;
  /** True once the last results were committed together with the segment's end. */
  #hasEnded = false;
  #isLost = false;
  #request: Request = 'go on';
  /** Monotonic time at which the database was last asked, with success, whether the attempt counts, in ms. */
  aliveAt: number;

  constructor(deps: SegmentRunDeps, begun: BegunSegment, aliveAt: number) {
    this.#deps = deps;
    this.begun = begun;
    this.aliveAt = aliveAt;
    const { pinned, run } = begun;
    const { cassettes } = deps;
    this.#cassette = pinned && new SegmentCassette({ workflowId: run.workflowId, pinned, cassettes });
  }

  /** Runs the rows that are not committed yet. Resolves when the segment has ended, was given back, or was lost. */
  async run(): Promise<void> {
    const { log } = this.#deps;
    const { run, firstRow } = this.begun;
    try {
      await this.#waitBeforeRetry();
      const outcome = await this.#execute();
      if (!this.#hasEnded && !this.#isLost) await this.#settle(outcome);
    } catch (error) {
      if (error instanceof AttemptOver || this.#isLost)
        log.warn({ runId: run.runId, firstRow }, 'another worker has rows that this one ran');
      else await this.#settleBroken(error);
    }
  }

  /** Stores results; the last ones together with the end of the segment, where nothing else has to be stored first. */
  async commit(batch: BatchResult): Promise<void> {
    await this.#results?.commit(batch);
  }

  /** Acts on the request of the run. */
  async obey(request: Request): Promise<void> {
    if (requests.indexOf(request) <= requests.indexOf(this.#request)) return;
    this.#request = request;
    this.#ended.abort();
    if (request === 'cancel') return this.#execution?.cancel();
    // Node attempts that have begun may end, and their rows are committed.
    if (request === 'pause') await this.#execution?.pause();
    if (this.#request === request) await this.#execution?.stop();
  }

  /** Ends the rows without storing anything, since another worker may have taken over the segment. */
  async lose(): Promise<void> {
    this.#isLost = true;
    await this.obey('drop');
  }

  /** Waits before a segment that has ended several workers is tried again, so that other segments run first. */
  async #waitBeforeRetry(): Promise<void> {
    const { run, failedAttempts, progress } = this.begun;
    const { rowsDone, rowsFailed } = progress.counts;
    const record = { ...run, fruitlessRecoveries: failedAttempts, rowsAtRecovery: rowsDone + rowsFailed };
    const ms = recoveryDelayMs(record, progress.counts);
    if (ms > 0) await sleep(this.#deps.clock, ms, this.#ended.signal).catch(() => undefined);
  }

  async #execute(): Promise<ExecutionOutcome> {
    const { plans, upstreamOf, answersOf, rows: database } = this.#deps;
    const { run, access, attempt, firstRow, rows } = this.begun;
    const plan = await plans.get(run);
    this.#plan = plan;
    const cassette = (): WorkflowCassette => {
      invariant(this.#cassette !== undefined, 'a run that needs a cassette was accepted with one');
      return this.#cassette;
    };
    this.#upstream = await upstreamOf(run, { access, cassette, sharedAnswers: () => answersOf(attempt) });
    const results = this.#openResults();
    const afterRow = firstRow - 1 + results.committedRows;
    const rowReader = new RunRowReader(database, run.runId, { afterRow, rows: firstRow + rows - 1 });
    const reader = this.#cassette?.watch(rowReader) ?? rowReader;
    try {
      const execution = await this.#openExecution({ plan, reader, upstream: this.#upstream });
      if (this.#request !== 'go on') return { kind: 'stopped' };
      this.#execution = execution;
      return await execution.run();
    } finally {
      await reader.close();
      await this.#upstream.close?.();
    }
  }

  #openResults(): RunResults {
    const { clock } = this.#deps;
    const { run, firstRow, progress } = this.begun;
    const { counts, traceBytes, statistics } = progress;
    const appendResults = (commit: ResultsCommit): Promise<void> => this.#append(commit);
    const before = { counts, traceBytes, ...(statistics === undefined ? {} : { statistics }) };
    const results = new RunResults(
      { database: { appendResults }, clock, runId: run.runId, afterRow: firstRow - 1 },
      before,
    );
    this.#results = results;
    return results;
  }

  async #openExecution({
    plan,
    reader,
    upstream,
  }: {
    readonly plan: Plan;
    readonly reader: RowReader;
    readonly upstream: Upstream;
  }): Promise<RunExecution> {
    const { pool, clock, log, maxTraceBytes } = this.#deps;
    const { run, firstRow, rows, progress, ended } = this.begun;
    const committed = rowsIn(progress.counts);
    const nodes = addStatistics([ended.statistics?.nodes ?? [], progress.statistics?.nodes ?? []]);
    const readStatistics = async () => ({ rows: 0, nodes });
    return new RunExecution({
      runId: run.runId,
      plan,
      seed: run.seed,
      reader,
      sink: this,
      pool,
      upstream,
      clock: run.clock === 'virtual' ? new VirtualClock(run.seed.time) : clock,
      log,
      traceBytes: ended.traceBytes + progress.traceBytes,
      maxTraceBytes,
      firstRow: firstRow + committed,
      rowsLeft: rows - committed,
      scenario: rowScenarioOf(run),
      breakpoints: stopsOf(run).filter((row) => row >= firstRow + committed && row < firstRow + rows - 1),
      budget: await budgetOf(run, plan, { readStatistics }),
      onLimit: () => this.#obeyLimits(),
    });
  }

  async #append(commit: ResultsCommit): Promise<void> {
    if (this.#isLost) throw new AttemptOver();
    const { rows } = this.begun;
    const isLast = rowsIn(commit.counts) === rows && (commit.counts.rowsUnfinished ?? 0) === 0;
    const fails = this.#plan?.onRowError === 'fail' && commit.counts.rowsFailed > 0;
    const end: SegmentEnd | undefined = isLast && !fails ? { state: 'done' } : undefined;
    const lastRow = commit.batch.firstRow + commit.batch.rows - 1;
    await this.#deps.attempts.commit(this.begun, commit, {
      end,
      recorded: this.#cassette?.callsUpTo(lastRow),
    });
    this.#cassette?.forgetUpTo(lastRow);
    this.#hasEnded = end !== undefined;
  }

  /** Reports to the run that its rows have reached one of its own limits. */
  #obeyLimits(): void {
    const { moves, log } = this.#deps;
    const { run, firstRow } = this.begun;
    const committedRows = firstRow - 1 + (this.#results?.committedRows ?? 0);
    moves
      .obeyLimit(run.runId, { committedRows, spentBudget: this.#execution?.spentBudget })
      .catch((error: unknown) => log.error({ runId: run.runId, error }, 'a run could not be paused'));
  }

  async #settle(outcome: ExecutionOutcome): Promise<void> {
    const { attempts } = this.#deps;
    const begun = this.#progressed();
    if (outcome.kind === 'completed') await attempts.end(begun, { state: 'done' });
    else if (outcome.kind === 'failed') await attempts.end(begun, { state: 'failed', error: outcome.error });
    else await attempts.release(begun);
  }

  /** A failure to run the rows that has its cause on this machine. */
  async #settleBroken(error: unknown): Promise<void> {
    const { attempts, log, clock } = this.#deps;
    const { runId } = this.begun.run;
    log.error({ runId, error }, 'a segment could not go on');
    await this.#execution?.stop();
    const message = notExecuted(error);
    try {
      if (isRefusedForNow(error)) {
        await sleep(clock, shortageDelayMs, this.#ended.signal).catch(() => undefined);
        await attempts.release(this.begun);
      } else await attempts.end(this.#progressed(), { state: 'failed', error: message });
    } catch (failure) {
      // Another worker takes the segment once this one's lease is over.
      log.warn({ runId, error: failure }, 'a segment could not be given back');
    }
  }

  #progressed(): BegunSegment {
    return this.#results === undefined
      ? this.begun
      : { ...this.begun, progress: progressOfResults(this.#results) };
  }
}

const progressOfResults = ({ counts, traceBytes, statistics }: RunResults): BegunSegment['progress'] => ({
  counts,
  traceBytes,
  statistics,
});
