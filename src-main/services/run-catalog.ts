// What is known of every stored run: unfinished ones as lives, finished ones as their last record.
import { fitsFilter, type RunFilter } from '../domain/run/run-filter.ts';
import type { RowCounts, Run } from '../domain/run/run.ts';
import type { WaitingRows } from '../executor/commit-queue.ts';
import type { RunLife } from './run-life.ts';

/** A run and how far it has come. */
export type RunRecord = {
  readonly run: Run;
  readonly counts: RowCounts;
  /** Rows that have ended and wait for one before them. */
  readonly waiting?: WaitingRows | undefined;
};

export type RunQuery = RunFilter & {
  /** Only runs accepted before this one. */
  readonly before?: string | undefined;
  readonly limit?: number | undefined;
};

export class RunCatalog {
  readonly #lives = new Map<string, RunLife>();
  readonly #finished = new Map<string, RunRecord>();
  readonly #runsByWorkflow = new Map<string, number>();
  /** Ids of stored reruns by the run that they repeat, stored or not. */
  readonly #reruns = new Map<string, Set<string>>();

  get(runId: string): RunRecord | undefined {
    return this.#lives.get(runId) ?? this.#finished.get(runId);
  }

  life(runId: string): RunLife | undefined {
    return this.#lives.get(runId);
  }

  lives(): readonly RunLife[] {
    return [...this.#lives.values()];
  }

  addLife(life: RunLife): void {
    if (this.get(life.run.runId) === undefined) this.#add(life.run);
    this.#lives.set(life.run.runId, life);
  }

  /** Keeps a finished run's record; its life, if it had one, is over. */
  addFinished(run: Run, counts: RowCounts): void {
    if (this.get(run.runId) === undefined) this.#add(run);
    this.#lives.delete(run.runId);
    this.#finished.set(run.runId, { run, counts });
  }

  removeFinished(runId: string): void {
    const record = this.#finished.get(runId);
    if (record === undefined) return;
    this.#finished.delete(runId);
    this.#remove(record.run);
  }

  ids(): readonly string[] {
    return [...this.#lives.keys(), ...this.#finished.keys()];
  }

  /** Ids of the runs that repeat it, newest first. */
  rerunsOf(runId: string): readonly string[] {
    return [...(this.#reruns.get(runId) ?? [])].sort().reverse();
  }

  knowsWorkflow(workflowId: string): boolean {
    return this.#runsByWorkflow.has(workflowId);
  }

  finished(): readonly RunRecord[] {
    return [...this.#finished.values()];
  }

  /** Newest first. */
  list(query: RunQuery): readonly RunRecord[] {
    const fits = ({ run }: RunRecord): boolean =>
      // Run ids begin with their time of acceptance, so they sort by it.
      fitsFilter(run, query) && (query.before === undefined || run.runId < query.before);
    const records = [...this.#lives.values(), ...this.#finished.values()].filter(fits);
    return records.sort(newestFirst).slice(0, query.limit);
  }

  #add({ runId, workflowId, rerunOf }: Run): void {
    this.#count(workflowId, 1);
    if (rerunOf !== undefined) this.#reruns.set(rerunOf, (this.#reruns.get(rerunOf) ?? new Set()).add(runId));
  }

  #remove({ runId, workflowId, rerunOf }: Run): void {
    this.#count(workflowId, -1);
    if (rerunOf === undefined) return;
    const reruns = this.#reruns.get(rerunOf);
    reruns?.delete(runId);
    if (reruns?.size === 0) this.#reruns.delete(rerunOf);
  }

  #count(workflowId: string, change: 1 | -1): void {
    const runs = (this.#runsByWorkflow.get(workflowId) ?? 0) + change;
    if (runs > 0) this.#runsByWorkflow.set(workflowId, runs);
    else this.#runsByWorkflow.delete(workflowId);
  }
}

const newestFirst = (a: RunRecord, b: RunRecord): number => (a.run.runId < b.run.runId ? 1 : -1);
