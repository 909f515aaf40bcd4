// The verbs on runs. Who calls: the public API (begin, find, outputs), the control API and the command line (the rest).
// Changes are published through `events`.
import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Log } from '../../base/log.ts';
import { Mutex } from '../../base/mutex.ts';
import { chainIdOf } from '../../domain/run/chain.ts';
import { assertEndedAtService } from '../../domain/hosted/assert-ended.ts';
import {
  laterAttemptsStay,
  moveNotAllowed,
  pinnedRunStays,
  runNotFound,
  unfinishedRunStays,
} from '../../domain/run-errors.ts';
import type { RowFailure } from '../../domain/run/row-failure.ts';
import { isFinal } from '../../domain/run/run-status.ts';
import type { LabelChanges } from '../../domain/run/run-labels.ts';
import { labelRun, type Run, type RunOrigin } from '../../domain/run/run.ts';
import type { Settings } from '../../domain/settings.ts';
import type { RowLines } from '../../domain/run/row-numbers.ts';
import type { RunQuery } from '../../domain/run/stored-run.ts';
import type { FileParser } from '../workflows/file-parser.ts';
import type {
  RunExecutionStore,
  RunReading,
  RunRecords,
  Snapshots,
  StoreHealth,
  UnfinishedRunListeners,
  UnfinishedRuns,
  RunRecord,
} from '../ports.ts';
import type { PlanCache } from './plan-cache.ts';
import { ownRows, rerun, type RerunDeps, type RerunOrder, type RerunWhat } from './reruns.ts';
import { assertInChain } from './row-position.ts';
import type { NewRun, RunInputs } from './new-run.ts';
import { RunAdmission, type HostedGate, type RunRequest } from './run-admission.ts';
import { Retention, type RetentionDeps } from './retention.ts';
import type { SourceService } from '../workflows/source-service.ts';
import type { TrustService } from '../workflows/trust-service.ts';
import type { WorkflowService } from '../workflows/workflow-service.ts';

type RunLinks = {
  /** The run that it repeats is not stored any more. */
  readonly isOriginalGone: boolean;
  /** The oldest stored run of its chain. */
  readonly originalRunId: string;
  /** Its chain has other attempts: their merged results differ from its own. */
  readonly isMerged: boolean;
  /** Ids of the runs that repeat it, newest first. */
  readonly reruns: readonly string[];
};

export type RemovalChoice = {
  /** Removes all attempts of its chain; otherwise the run is the newest one. */
  readonly isChain?: boolean | undefined;
  /** Cancels the run first if it has not ended. */
  readonly cancels?: boolean | undefined;
  /** Removes what is pinned, too. */
  readonly isPinned?: boolean | undefined;
};

type RunServiceDeps = {
  readonly store: RunRecords & RunReading & RunExecutionStore;
  readonly snapshots: Snapshots;
  readonly plans: PlanCache;
  readonly health: StoreHealth;
  readonly retentionDocument: RetentionDeps['document'];
  readonly asOnlyServer?: RetentionDeps['asOnlyServer'];
  /** Opens the unfinished runs. */
  readonly openUnfinished: (listeners: UnfinishedRunListeners) => UnfinishedRuns;
  readonly hosted?: HostedGate | undefined;
  readonly workflows: WorkflowService;
  readonly trust: TrustService;
  readonly sources: SourceService;
  readonly parser: FileParser;
  readonly settings: () => Settings;
  readonly clock: Clock;
  readonly log: Log;
};

export class RunService {
  readonly events: Emitter<RunRecord>;
  /** Ids of chains whose newest attempt was removed. */
  readonly shortenedChains: Emitter<string>;
  readonly retention: Retention;
  readonly #deps: RunServiceDeps;
  readonly #unfinished: UnfinishedRuns;
  readonly #admission: RunAdmission;
  readonly #labelling = new Mutex();

  constructor(deps: RunServiceDeps) {
    this.#deps = deps;
    const onError = (error: unknown): void => deps.log.error({ error }, 'a listener to runs failed');
    this.events = new Emitter(onError);
    this.shortenedChains = new Emitter(onError);
    this.#admission = new RunAdmission({ ...deps, onAccepted: (run) => this.#unfinished.add(run) });
    this.retention = new Retention({
      ...deps,
      document: deps.retentionDocument,
      bounds: () => deps.settings().retention,
      retainedHashes: () => this.#admission.retainedHashes(),
    });
    this.#unfinished = deps.openUnfinished({
      onChange: (record) => this.#onChange(record),
      retentionNow: () => this.retention.now(),
    });
  }

  /** Takes up the unfinished runs of an earlier process, oldest first. Called once, before any other method. */
  async recover(): Promise<void> {
    const { log } = this.#deps;
    await this.retention
      .start()
      .catch((error: unknown) => log.warn({ error }, 'the retention clock could not be saved'));
    await this.#unfinished.recover();
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
    return stored.map((record) => ({
      ...record,
      progress: this.#unfinished.find(record.run.runId)?.progress,
    }));
  }

  /** Throws `run_not_found`, `data_unreadable`. */
  async get(runId: string): Promise<RunRecord> {
    const found = await this.#find(runId);
    if (found === undefined) throw runNotFound();
    return found;
  }

  async #find(runId: string): Promise<RunRecord | undefined> {
    return this.#unfinished.find(runId) ?? this.#deps.store.find(runId);
  }

  /** The run that is meant by an id, or by its beginning or end. Throws `run_not_found`, `invalid_input`. */
  resolve(text: string): Promise<string> {
    return this.#deps.store.resolveId(text);
  }

  /** The runs that a run is linked to: the newest reruns, so many at most. Throws `run_not_found`. */
  async links(runId: string, maxReruns: number): Promise<RunLinks> {
    const { store } = this.#deps;
    const { run } = await this.get(runId);
    const isOriginalGone = run.rerunOf !== undefined && (await this.#find(run.rerunOf)) === undefined;
    const [originalRunId = runId, second] = await store.attemptsOf(chainIdOf(run), 2);
    const reruns = await store.rerunsOf(runId, maxReruns);
    return { isOriginalGone, originalRunId, isMerged: second !== undefined, reruns };
  }

  pause(runId: string): Promise<RunRecord> {
    return this.#move(runId, 'pause');
  }

  resume(runId: string): Promise<RunRecord> {
    return this.#move(runId, 'resume');
  }

  cancel(runId: string): Promise<RunRecord> {
    return this.#move(runId, 'cancel');
  }

  /** Changes how people tell the run apart. Throws `run_not_found`. */
  label(runId: string, changes: LabelChanges): Promise<RunRecord> {
    // One at a time: a finished run's record is read, changed and stored.
    return this.#labelling.run(async () => {
      const unfinished = await this.#unfinished.label(runId, changes);
      if (unfinished !== undefined) return unfinished;
      const record = await this.get(runId);
      const labelled = { ...record, run: labelRun(record.run, changes) };
      await this.#deps.store.save(labelled.run);
      this.events.emit(labelled);
      return labelled;
    });
  }

  /**
   * Removes a run for good, with its rows and results, or its whole chain. Throws `run_not_found`, and `move_not_allowed` for
   * a run that has not ended, is pinned or has later attempts, unless the choice covers it.
   */
  async remove(runId: string, choice: RemovalChoice): Promise<void> {
    // No label is stored meanwhile.
    await this.#labelling.run(async () => {
      const chainId = chainIdOf((await this.get(runId)).run);
      const attempts = await this.#deps.store.attemptsOf(chainId, Infinity);
      const later = attempts.length - 1 - attempts.indexOf(runId);
      if (choice.isChain !== true && later > 0) throw laterAttemptsStay(later);
      const removed = choice.isChain === true ? attempts : [runId];
      await this.#endAll(removed, choice);
      await this.retention.removeRuns(removed);
      if (removed.length < attempts.length) this.shortenedChains.emit(chainId);
    });
    await this.#deps.store.swept();
  }

  /** Cancels unfinished runs that are to be removed, or throws `move_not_allowed` before it does. */
  async #endAll(
    runIds: readonly string[],
    { cancels = false, isPinned = false }: RemovalChoice,
  ): Promise<void> {
    for (const runId of runIds) {
      const { run } = await this.get(runId);
      if (run.labels?.isPinned === true && !isPinned) throw pinnedRunStays();
      if (!isFinal(run.status) && !cancels) throw unfinishedRunStays(run.status);
      // Its record is all that is known of a run that may be billed.
      assertEndedAtService(run);
    }
    for (const runId of runIds) {
      if (!isFinal((await this.get(runId)).run.status)) await this.#unfinished.cancel(runId);
      const { status } = (await this.get(runId)).run;
      if (!isFinal(status)) throw unfinishedRunStays(status);
    }
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
    this.#deps.hosted?.assertNoneOf(chainIdOf(run));
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

  /** Throws `invalid_input` for the first number that no row of the run's chain has. @param numbers rising */
  async assertHasRows(runId: string, numbers: readonly number[]): Promise<void> {
    await assertInChain(this.#deps.store, (await this.get(runId)).run, numbers);
  }

  /**
   * A run's output lines, from the first row; an empty line is a row without output.
   * @param rows of a completed run: fewer are `data_unreadable`
   */
  readOutputs(runId: string, rows?: number): AsyncIterable<RowLines> {
    return this.#deps.store.readOutputs(runId, rows);
  }

  /** The same in pieces of a bounded size, whatever the size of an output. */
  readOutputPieces(runId: string, rows?: number): AsyncIterable<RowLines> {
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
    await this.#unfinished.close();
    const { log } = this.#deps;
    await this.retention
      .close()
      .catch((error: unknown) => log.warn({ error }, 'the retention clock could not be saved'));
  }

  async #move(runId: string, move: 'pause' | 'resume' | 'cancel'): Promise<RunRecord> {
    const moved = await this.#unfinished[move](runId);
    if (moved === undefined) throw moveNotAllowed((await this.get(runId)).run.status, move);
    return moved;
  }

  #onChange(record: RunRecord): void {
    if (isFinal(record.run.status)) this.retention.request();
    this.events.emit(record);
  }

  /** Runs that wait may start now, and what is past the bounds is removed. */
  applySettings(): void {
    this.#unfinished.applySettings();
    this.retention.request();
  }
}
