// The verbs on runs. Who calls: the public API (begin, find, outputs), the control API and the command line (the rest).
// Facts come back up through `facts`.
import type { Clock } from '../base/clock.ts';
import { Emitter } from '../base/emitter.ts';
import type { Log } from '../base/log.ts';
import { moveNotAllowed, runNotFound } from '../domain/errors.ts';
import { findRunId } from '../domain/run/find-run-id.ts';
import type { RowFailure } from '../domain/run/row-failure.ts';
import { isFinal } from '../domain/run/run-status.ts';
import type { RowCounts, Run, RunOrigin, SourceRef } from '../domain/run/run.ts';
import { readScenario } from '../domain/scenarios/parse-scenario.ts';
import { mocksOf } from '../domain/workflow/choose-mocks.ts';
import type { Settings } from '../domain/settings.ts';
import type { Upstream } from '../executor/ports.ts';
import type { WorkerPool } from '../executor/worker-pool.ts';
import type { DataFolder } from '../storage/data-folder.ts';
import type { RowLines, RowPiece } from '../domain/run/row-numbers.ts';
import { PlanCache } from './plan-cache.ts';
import { noRows, Recovery } from './recovery.ts';
import { ownRows, rerun, type RerunParts, type RerunWhat } from './reruns.ts';
import { assertInRun } from './row-position.ts';
import { RunCatalog, type RunQuery, type RunRecord } from './run-catalog.ts';
import { inputsOf, RunDraft, type DraftFacts, type RunInputs } from './run-draft.ts';
import { RunIds } from './run-ids.ts';
import { RunLife } from './run-life.ts';
import { RunQueue } from './run-queue.ts';
import { assertValid } from './assert-valid.ts';
import { Retention } from './retention.ts';
import type { Source, SourceService } from './source-service.ts';
import type { TrustService } from './trust-service.ts';
import type { LoadedWorkflow, WorkflowService } from './workflow-service.ts';

/** What happened to a run: its record or its progress changed. */
export type RunFact = RunRecord;

export type RunLinks = {
  /** The run that it repeats is not stored any more. */
  readonly isOriginalGone: boolean;
  /** Ids of the runs that repeat it, newest first. */
  readonly reruns: readonly string[];
};

export type RunServiceParts = {
  readonly folder: DataFolder;
  readonly workflows: WorkflowService;
  readonly trust: TrustService;
  readonly sources: SourceService;
  readonly pool: WorkerPool;
  /** What a run's calls to the outside go through, by its mode and its workflow's grants. */
  readonly upstreamOf: (run: Run) => Promise<Upstream>;
  readonly settings: () => Settings;
  readonly clock: Clock;
  readonly log: Log;
  /** Of the traces of a run, in bytes, in place of the usual bound. */
  readonly mostTraceBytes?: number | undefined;
};

/** A run to be accepted. */
export type WantedRun = {
  readonly workflow: LoadedWorkflow;
  readonly origin: RunOrigin;
  /** What the client declares, for the free-space check. */
  readonly expectedBytes?: number | undefined;
  readonly repeats?: Run;
  /** The node that the run is repeated from. */
  readonly from?: string;
  readonly inputs?: RunInputs;
};

export class RunService {
  readonly facts: Emitter<RunFact>;
  readonly retention: Retention;
  readonly #parts: RunServiceParts;
  readonly #catalog = new RunCatalog();
  readonly #plans: PlanCache;
  readonly #queue: RunQueue<RunLife>;
  /** Snapshots of runs whose rows are still arriving: retention must not take them away. */
  readonly #draftHashes = new Map<string, readonly string[]>();
  readonly #recovery: Recovery;
  readonly #ids: RunIds;

  constructor(parts: RunServiceParts) {
    this.#parts = parts;
    this.facts = new Emitter((error) => parts.log.error({ error }, 'a listener to runs failed'));
    this.#ids = new RunIds(parts.folder.newestRunId);
    this.retention = new Retention({
      ...parts,
      catalog: this.#catalog,
      bounds: () => parts.settings().retention,
      keepHashes: () => [...this.#draftHashes.values()].flat(),
      isComplete: () => this.#recovery.isComplete,
    });
    this.#plans = new PlanCache(parts.folder.snapshots);
    this.#queue = new RunQueue({
      clock: parts.clock,
      capacity: () => parts.settings().runsAtOnce,
      onError: (error) => parts.log.error({ error }, 'a queued run could not start'),
    });
    this.#recovery = new Recovery({
      folder: parts.folder,
      catalog: this.#catalog,
      queue: this.#queue,
      addLife: (run, counts) => this.#addLife(run, counts),
      isArriving: (runId) => this.#draftHashes.has(runId),
      clock: parts.clock,
      log: parts.log,
    });
  }

  /**
   * Takes up what an earlier process left. Requests may come while it is under way; runs that they start wait until
   * it is done, so that older ones go first.
   */
  async recover(): Promise<void> {
    const { log } = this.#parts;
    await this.retention
      .start()
      .catch((error: unknown) => log.warn({ error }, 'the retention clock could not be saved'));
    await this.#recovery.begin();
    this.retention.ask();
  }

  /**
   * Opens a draft for a run's rows. Throws `workflow_untrusted`, `workflow_invalid`, `store_degraded`, `disk_full`, or `invalid_input` for
   * mocks that the workflow does not have. A repeated run keeps the inputs of its original.
   */
  async beginRun(wanted: WantedRun): Promise<RunDraft> {
    const { workflow: loaded, repeats } = wanted;
    const inputs = this.#inputsOf(wanted);
    const { folder, clock } = this.#parts;
    this.#parts.trust.assertTrusted(loaded);
    const workflow = assertValid(loaded);
    folder.health.assertWritable();
    const mocks = mocksOf(workflow, inputs);
    const { mode } = inputs;
    const { beside, sources, called } = await this.#parts.sources.resolve(loaded, { mocks, mode });
    for (const other of called) this.#parts.trust.assertTrusted(other);
    const accepted = { workflowHash: loaded.hash, sources: sources.map(refOf), ...inputs };
    this.#plans.add(accepted, workflow, beside);
    const facts: DraftFacts = {
      runId: this.#ids.next(clock.now()),
      workflowId: loaded.id,
      workflowHash: loaded.hash,
      sources: accepted.sources,
      origin: wanted.origin,
      ...(repeats === undefined ? {} : { rerunOf: repeats.runId, seed: repeats.seed }),
      ...(wanted.from === undefined ? {} : { from: wanted.from }),
      ...inputs,
    };
    this.#draftHashes.set(facts.runId, [loaded.hash, ...sources.map(({ hash }) => hash)]);
    const onEnded = (): void => void this.#draftHashes.delete(facts.runId);
    try {
      await folder.snapshots.put(loaded.hash, loaded.source, 'workflow');
      for (const { hash, text, table } of sources)
        await folder.snapshots.put(hash, text, table === undefined ? 'workflow' : 'table');
      const intake = await folder.runs.beginIntake(facts.runId, wanted.expectedBytes);
      return new RunDraft({ intake, facts, clock, onEnded, onAccepted: (run) => this.#enqueue(run) });
    } catch (error) {
      onEnded();
      throw error;
    }
  }

  /** A new run that asks for no scenario has its workflow's, by the setting; one that repeats has its original's. */
  #inputsOf({ inputs, repeats, workflow }: WantedRun): RunInputs {
    const asked = inputs ?? repeats ?? {};
    const { workflows } = this.#parts.settings().scenarios;
    const text = Object.hasOwn(workflows, workflow.id) ? workflows[workflow.id] : undefined;
    const isForSetting = repeats === undefined && asked.scenario === undefined && text !== undefined;
    return inputsOf(isForSetting ? { ...asked, scenario: readScenario(text) } : asked);
  }

  /** The run, if it is this workflow's. Throws `data_unreadable` for one that is stored and cannot be read. */
  async find(workflowId: string, runId: string): Promise<Run | undefined> {
    const run = this.#catalog.get(runId)?.run ?? (await this.#recovery.readAhead(runId));
    return run?.workflowId === workflowId ? run : undefined;
  }

  /** Whether the workflow has a file, or had one and runs of it are still stored. */
  async knowsWorkflow(workflowId: string): Promise<boolean> {
    const { workflows } = this.#parts;
    if (workflows.has(workflowId) || this.#catalog.knowsWorkflow(workflowId)) return true;
    if ((await workflows.find(workflowId)) !== undefined) return true;
    await this.#recovery.done;
    return this.#catalog.knowsWorkflow(workflowId);
  }

  async list(query: RunQuery): Promise<readonly RunRecord[]> {
    await this.#recovery.done;
    return this.#catalog.list(query);
  }

  /** Throws `run_not_found`, `data_unreadable`. */
  async get(runId: string): Promise<RunRecord> {
    await this.#recovery.done;
    if (this.#catalog.get(runId) === undefined) await this.#recovery.readAhead(runId);
    const record = this.#catalog.get(runId);
    if (record === undefined) throw runNotFound();
    return record;
  }

  /** The run that is meant by an id, or by its beginning or end. Throws `run_not_found`, `invalid_input`. */
  async resolve(text: string): Promise<string> {
    await this.#recovery.done;
    return findRunId(text, this.#catalog.ids());
  }

  /** The runs that a run is linked to. Throws `run_not_found`. */
  async links(runId: string): Promise<RunLinks> {
    const { rerunOf } = (await this.get(runId)).run;
    const isOriginalGone = rerunOf !== undefined && this.#catalog.get(rerunOf) === undefined;
    return { isOriginalGone, reruns: this.#catalog.rerunsOf(runId) };
  }

  pause(runId: string): Promise<RunRecord> {
    return this.#onLife(runId, 'pause', async (life) => {
      this.#queue.remove(life);
      await life.pause();
    });
  }

  resume(runId: string): Promise<RunRecord> {
    return this.#onLife(runId, 'resume', async (life) => {
      const run = await life.resume();
      if (run.status === 'queued') this.#queue.push(life);
    });
  }

  cancel(runId: string): Promise<RunRecord> {
    return this.#onLife(runId, 'cancel', async (life) => {
      await life.cancel();
      this.#queue.remove(life);
    });
  }

  /** A new run of the workflow as it is now, with the old run's rows or others in their place; see `rerun`. */
  async rerun(runId: string, what: RerunWhat, origin: RunOrigin): Promise<RunRecord> {
    const { run } = await this.get(runId);
    const { folder, workflows } = this.#parts;
    const begin: RerunParts['begin'] = (wanted) => this.beginRun(wanted);
    const parts = { store: folder.runs, workflows, plans: this.#plans, begin };
    const repeated = await rerun(parts, { run, what, origin });
    return this.get(repeated.runId);
  }

  /** The run's rows, or those without an output. Throws `run_not_found`, `move_not_allowed`, `data_unreadable`. */
  async readRows(runId: string, which: 'all' | 'failed'): Promise<AsyncIterable<RowLines>> {
    return ownRows(this.#parts.folder.runs, (await this.get(runId)).run, which);
  }

  /** Throws `invalid_input` for the first number that no row of the run has. @param numbers rising */
  async assertHasRows(runId: string, numbers: readonly number[]): Promise<void> {
    await assertInRun(this.#parts.folder.runs, (await this.get(runId)).run, numbers);
  }

  /**
   * A run's output lines, from the first row; an empty line is a row without output.
   * @param rows of a completed run: fewer are `data_unreadable`
   */
  readOutputs(runId: string, rows?: number): AsyncIterable<RowLines> {
    return this.#parts.folder.runs.readOutputs(runId, rows);
  }

  /** The same in pieces of a bounded size, whatever the size of an output. */
  readOutputPieces(runId: string, rows?: number): AsyncIterable<RowPiece> {
    return this.#parts.folder.runs.readOutputPieces(runId, rows);
  }

  readFailures(runId: string, limit: number): Promise<readonly RowFailure[]> {
    return this.#parts.folder.runs.readFailures(runId, limit);
  }

  /** Ends all executions; unfinished runs stay as they are and go on at the next start. */
  async close(): Promise<void> {
    this.#queue.close();
    await this.#recovery.close();
    await Promise.all(this.#catalog.lives().map((life) => life.stop()));
    const { log } = this.#parts;
    await this.retention
      .close()
      .catch((error: unknown) => log.warn({ error }, 'the retention clock could not be saved'));
  }

  async #onLife(
    runId: string,
    move: 'pause' | 'resume' | 'cancel',
    act: (life: RunLife) => Promise<void>,
  ): Promise<RunRecord> {
    const { run } = await this.get(runId);
    const life = this.#catalog.life(runId);
    if (life === undefined) throw moveNotAllowed(run.status, move);
    await act(life);
    return { run: life.run, counts: life.counts };
  }

  #enqueue(run: Run): void {
    const life = this.#addLife(run, noRows);
    this.facts.emit({ run, counts: noRows });
    this.#recovery.enqueue(life);
  }

  #addLife(run: Run, counts: RowCounts): RunLife {
    const { folder, pool, upstreamOf, clock, log, mostTraceBytes } = this.#parts;
    const onChange = (life: RunLife): void => this.#onChange(life);
    const parts = {
      store: folder.runs,
      health: folder.health,
      plans: this.#plans,
      retentionNow: () => this.retention.now(),
      pool,
      upstreamOf,
      clock,
      log,
      mostTraceBytes,
      onChange,
      onTryLater: (again: RunLife) => this.#queue.push(again),
    };
    const life = new RunLife(parts, run, counts);
    this.#catalog.addLife(life);
    return life;
  }

  #onChange(life: RunLife): void {
    const { run, counts, waiting } = life;
    if (isFinal(run.status) && this.#catalog.life(run.runId) !== undefined) {
      this.#catalog.addFinished(run, counts);
      this.retention.ask();
    }
    if (life.isParked) this.#unparkOldest();
    this.facts.emit({ run, counts, waiting });
  }

  /** Paused runs keep processes and files, so that rows go on where they were; but only so many of them. */
  #unparkOldest(): void {
    const parked = this.#catalog.lives().filter((life) => life.isParked);
    for (const life of parked.slice(0, Math.max(0, parked.length - mostParked))) {
      life
        .unpark()
        .catch((error: unknown) => this.#parts.log.warn({ error }, 'a paused run keeps its workers'));
    }
  }

  /** Runs that wait may start now, and what is past the bounds is removed. */
  applySettings(): void {
    this.#queue.fill();
    this.retention.ask();
  }
}

const refOf = ({ workflowId, table, hash }: Source): SourceRef => ({
  workflowId,
  ...(table === undefined ? {} : { table }),
  hash,
});

/** Paused runs that keep their workers, about 50 MB each. */
const mostParked = 4;
/** Looking for old runs takes longer than a small run, in ms. */
