// The verbs on runs. Who calls: the public API (begin, find, outputs), the control API and the command line (the rest).
// Changes are published through `events`.
import type { Clock } from '../base/clock.ts';
import { Emitter } from '../base/emitter.ts';
import type { Log } from '../base/log.ts';
import { Mutex } from '../base/mutex.ts';
import { moveNotAllowed, runNotFound } from '../domain/run-errors.ts';
import type { RowFailure } from '../domain/run/row-failure.ts';
import { canMove, isFinal } from '../domain/run/run-status.ts';
import type { LabelChanges } from '../domain/run/run-labels.ts';
import { labelRun, type RowCounts, type Run, type RunOrigin } from '../domain/run/run.ts';
import type { Settings } from '../domain/settings.ts';
import type { Upstream } from '../executor/ports.ts';
import type { WorkerPool } from '../executor/pool/worker-pool.ts';
import type { RowLines, RowPiece } from '../domain/run/row-numbers.ts';
import type { RunQuery } from '../domain/run/stored-run.ts';
import type { FileParser } from './file-parser.ts';
import { ActiveRun, type ActiveRunDeps } from './active-run.ts';
import type {
  RunExecutionStore,
  RunReading,
  RunRecords,
  RunRemoval,
  Snapshots,
  StoreHealth,
} from './ports.ts';
import type { PlanCache } from './plan-cache.ts';
import { ownRows, rerun, type RerunDeps, type RerunOrder, type RerunWhat } from './reruns.ts';
import { assertInRun } from './row-position.ts';
import type { RunRecord } from './run-record.ts';
import type { NewRun, RunInputs } from './new-run.ts';
import { RunAdmission, type RunRequest } from './run-admission.ts';
import { RunQueue } from './run-queue.ts';
import { Retention, type RetentionDeps } from './retention.ts';
import type { SourceService } from './source-service.ts';
import type { TrustService } from './trust-service.ts';
import type { WorkflowService } from './workflow-service.ts';

/** A run whose record or progress changed. */
export type RunEvent = RunRecord;

export type RunLinks = {
  /** The run that it repeats is not stored any more. */
  readonly isOriginalGone: boolean;
  /** The oldest stored run that it repeats, directly or by way of others; its own id if there is none. */
  readonly originalRunId: string;
  /** Ids of the runs that repeat it, newest first. */
  readonly reruns: readonly string[];
};

export type RunServiceDeps = {
  readonly store: RunRecords & RunRemoval & RunReading & RunExecutionStore;
  readonly snapshots: Snapshots;
  readonly plans: PlanCache;
  readonly health: StoreHealth;
  readonly retentionDocument: RetentionDeps['document'];
  /** True if the process that had the data folder last ended without closing it. */
  readonly wasCrashed: boolean;
  readonly workflows: WorkflowService;
  readonly trust: TrustService;
  readonly sources: SourceService;
  readonly pool: WorkerPool;
  /** The upstream for a run's calls, chosen by its mode and its workflow's grants. */
  readonly upstreamOf: (run: Run) => Promise<Upstream>;
  /** Absent: files are parsed in this process. */
  readonly parser?: FileParser;
  readonly settings: () => Settings;
  readonly clock: Clock;
  readonly log: Log;
  /** Maximum bytes of traces per run, in place of the default. */
  readonly maxTraceBytes?: number | undefined;
};

export class RunService {
  readonly events: Emitter<RunEvent>;
  readonly retention: Retention;
  readonly #deps: RunServiceDeps;
  /** Unfinished runs, in the order in which this process met them. */
  readonly #active = new Map<string, ActiveRun>();
  readonly #queue: RunQueue<ActiveRun>;
  readonly #admission: RunAdmission;
  readonly #labelling = new Mutex();

  constructor(deps: RunServiceDeps) {
    this.#deps = deps;
    this.events = new Emitter((error) => deps.log.error({ error }, 'a listener to runs failed'));
    this.#admission = new RunAdmission({ ...deps, onAccepted: (run) => this.#enqueue(run) });
    this.retention = new Retention({
      ...deps,
      document: deps.retentionDocument,
      bounds: () => deps.settings().retention,
      retainedHashes: () => this.#admission.retainedHashes(),
    });
    this.#queue = new RunQueue({
      clock: deps.clock,
      capacity: () => deps.settings().runsAtOnce,
      onError: (error) => deps.log.error({ error }, 'a queued run could not start'),
    });
  }

  /** Takes up the unfinished runs of an earlier process, oldest first. Called once, before any other method. */
  async recover(): Promise<void> {
    const { log, store, wasCrashed } = this.#deps;
    await this.retention
      .start()
      .catch((error: unknown) => log.warn({ error }, 'the retention clock could not be saved'));
    const found: ActiveRun[] = [];
    for (const stored of await store.listUnfinished()) {
      if ('run' in stored) found.push(this.#addActive(stored.run, stored.counts));
      else log.error({ runId: stored.runId }, stored.problem);
    }
    await Promise.all(
      found.map(async (active) => {
        try {
          await active.settleAfterRestart();
        } catch (error) {
          log.error({ runId: active.run.runId, error }, 'a run could not be taken up again');
        }
      }),
    );
    for (const active of found.filter(({ run }) => run.status === 'running')) {
      if (wasCrashed) active.noteCrash();
      this.#queue.push(active);
    }
    for (const active of found.filter(({ run }) => canMove(run.status, 'start'))) this.#queue.push(active);
    this.#queue.open();
    this.retention.request();
  }

  /** Opens a new run for its rows; see `RunAdmission.open`. */
  beginRun(request: RunRequest): Promise<NewRun> {
    return this.#admission.open(request);
  }

  /** The run, if it is this workflow's. Throws `data_unreadable` for one that is stored and cannot be read. */
  async find(workflowId: string, runId: string): Promise<Run | undefined> {
    const run = (await this.#find(runId))?.run;
    return run?.workflowId === workflowId ? run : undefined;
  }

  /** True if the workflow has a file, or had one and runs of it are still stored. */
  async knowsWorkflow(workflowId: string): Promise<boolean> {
    const { workflows, store } = this.#deps;
    if (workflows.has(workflowId) || (await workflows.find(workflowId)) !== undefined) return true;
    return store.hasRunOf(workflowId);
  }

  /** Newest first. */
  async list(query: RunQuery): Promise<readonly RunRecord[]> {
    const stored = await this.#deps.store.list(query);
    return stored.map((record) => ({ ...record, progress: this.#active.get(record.run.runId)?.progress }));
  }

  /** Throws `run_not_found`, `data_unreadable`. */
  async get(runId: string): Promise<RunRecord> {
    const found = await this.#find(runId);
    if (found === undefined) throw runNotFound();
    return found;
  }

  async #find(runId: string): Promise<RunRecord | undefined> {
    const active = this.#active.get(runId);
    return active === undefined ? this.#deps.store.find(runId) : recordOf(active);
  }

  /** The run that is meant by an id, or by its beginning or end. Throws `run_not_found`, `invalid_input`. */
  resolve(text: string): Promise<string> {
    return this.#deps.store.resolveId(text);
  }

  /** The runs that a run is linked to: the newest reruns, so many at most. Throws `run_not_found`. */
  async links(runId: string, maxReruns: number): Promise<RunLinks> {
    const { rerunOf } = (await this.get(runId)).run;
    const isOriginalGone = rerunOf !== undefined && (await this.#find(rerunOf)) === undefined;
    let originalRunId = runId;
    for (let next = isOriginalGone ? undefined : rerunOf; next !== undefined;) {
      const original = await this.#find(next);
      if (original === undefined) break;
      originalRunId = next;
      next = original.run.rerunOf;
    }
    const reruns = await this.#deps.store.rerunsOf(runId, maxReruns);
    return { isOriginalGone, originalRunId, reruns };
  }

  pause(runId: string): Promise<RunRecord> {
    return this.#onActive(runId, 'pause', async (active) => {
      this.#queue.remove(active);
      await active.pause();
    });
  }

  resume(runId: string): Promise<RunRecord> {
    return this.#onActive(runId, 'resume', async (active) => {
      const run = await active.resume();
      if (run.status === 'queued') this.#queue.push(active);
    });
  }

  cancel(runId: string): Promise<RunRecord> {
    return this.#onActive(runId, 'cancel', async (active) => {
      await active.cancel();
      this.#queue.remove(active);
    });
  }

  /** Changes how people tell the run apart. Throws `run_not_found`. */
  label(runId: string, changes: LabelChanges): Promise<RunRecord> {
    // One at a time: a finished run's record is read, changed and stored.
    return this.#labelling.run(async () => {
      const active = this.#active.get(runId);
      if (active !== undefined) {
        await active.label(changes);
        return recordOf(active);
      }
      const record = await this.get(runId);
      const labelled = { ...record, run: labelRun(record.run, changes) };
      await this.#deps.store.save(labelled.run);
      this.events.emit(labelled);
      return labelled;
    });
  }

  /** A new run of the workflow as it is now, with the old run's rows or others in their place; see `rerun`. */
  rerun(runId: string, what: RerunWhat, origin: RunOrigin): Promise<RunRecord> {
    return this.rerunWith(runId, {}, { what, origin });
  }

  /** As `rerun`, with these inputs in place of the run's own. */
  async rerunWith(
    runId: string,
    changes: RunInputs,
    order: Pick<RerunOrder, 'what' | 'origin'>,
  ): Promise<RunRecord> {
    const { run } = await this.get(runId);
    const { store, workflows } = this.#deps;
    const begin: RerunDeps['begin'] = (request) => this.beginRun(request);
    const deps = { store, workflows, plans: this.#deps.plans, begin };
    const repeated = await rerun(deps, { run, changes, ...order });
    return this.get(repeated.runId);
  }

  /** The run's rows, or those without an output. Throws `run_not_found`, `move_not_allowed`, `data_unreadable`. */
  async readRows(runId: string, which: 'all' | 'failed'): Promise<AsyncIterable<RowLines>> {
    return ownRows(this.#deps.store, (await this.get(runId)).run, which);
  }

  /** Throws `invalid_input` for the first number that no row of the run has. @param numbers rising */
  async assertHasRows(runId: string, numbers: readonly number[]): Promise<void> {
    await assertInRun(this.#deps.store, (await this.get(runId)).run, numbers);
  }

  /**
   * A run's output lines, from the first row; an empty line is a row without output.
   * @param rows of a completed run: fewer are `data_unreadable`
   */
  readOutputs(runId: string, rows?: number): AsyncIterable<RowLines> {
    return this.#deps.store.readOutputs(runId, rows);
  }

  /** The same in pieces of a bounded size, whatever the size of an output. */
  readOutputPieces(runId: string, rows?: number): AsyncIterable<RowPiece> {
    return this.#deps.store.readOutputPieces(runId, rows);
  }

  readFailures(runId: string, limit: number): Promise<readonly RowFailure[]> {
    return this.#deps.store.readFailures(runId, limit);
  }

  /** All failures, in row order. */
  eachFailure(runId: string): AsyncIterable<RowFailure> {
    return this.#deps.store.eachFailure(runId);
  }

  /** Ends all executions; unfinished runs stay as they are and go on at the next start. */
  async close(): Promise<void> {
    this.#queue.close();
    await Promise.all([...this.#active.values()].map((active) => active.stop()));
    const { log } = this.#deps;
    await this.retention
      .close()
      .catch((error: unknown) => log.warn({ error }, 'the retention clock could not be saved'));
  }

  async #onActive(
    runId: string,
    move: 'pause' | 'resume' | 'cancel',
    act: (active: ActiveRun) => Promise<void>,
  ): Promise<RunRecord> {
    const active = this.#active.get(runId);
    if (active === undefined) throw moveNotAllowed((await this.get(runId)).run.status, move);
    await act(active);
    return recordOf(active);
  }

  #enqueue(run: Run): void {
    const active = this.#addActive(run, noRows);
    this.events.emit({ run, counts: noRows });
    this.#queue.push(active);
  }

  #addActive(run: Run, counts: RowCounts): ActiveRun {
    const deps: ActiveRunDeps = {
      ...this.#deps,
      plans: this.#deps.plans,
      retentionNow: () => this.retention.now(),
      onChange: (active) => this.#onChange(active),
      onTryLater: (active) => this.#queue.push(active),
    };
    const active = new ActiveRun(deps, run, counts);
    this.#active.set(run.runId, active);
    return active;
  }

  #onChange(active: ActiveRun): void {
    const { run } = active;
    if (isFinal(run.status) && this.#active.delete(run.runId)) this.retention.request();
    if (active.isSuspended) this.#evictOldest();
    this.events.emit(recordOf(active));
  }

  /** Paused runs keep processes, so that rows go on where they were; but only so many of them. */
  #evictOldest(): void {
    const suspended = [...this.#active.values()].filter((active) => active.isSuspended);
    for (const active of suspended.slice(0, Math.max(0, suspended.length - maxSuspended))) {
      active
        .evict()
        .catch((error: unknown) => this.#deps.log.warn({ error }, 'a paused run keeps its workers'));
    }
  }

  /** Runs that wait may start now, and what is past the bounds is removed. */
  applySettings(): void {
    this.#queue.fill();
    this.retention.request();
  }
}

/** Paused runs that keep their workers, about 50 MB each. */
const maxSuspended = 4;

const noRows: RowCounts = { rowsDone: 0, rowsFailed: 0 };

const recordOf = ({ run, counts, progress }: ActiveRun): RunRecord => ({ run, counts, progress });
