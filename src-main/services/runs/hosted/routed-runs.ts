import type { LabelChanges } from '../../../domain/run/run-labels.ts';
import type { Run } from '../../../domain/run/run.ts';
import type { RunRecord, UnfinishedRuns } from '../../ports.ts';

/** Unfinished runs that execute here, and those at hosted services. */
export class RoutedRuns implements UnfinishedRuns {
  readonly #local: UnfinishedRuns;
  readonly #hosted: UnfinishedRuns;

  constructor(runs: { readonly local: UnfinishedRuns; readonly hosted: UnfinishedRuns }) {
    this.#local = runs.local;
    this.#hosted = runs.hosted;
  }

  async recover(): Promise<void> {
    await this.#local.recover();
    await this.#hosted.recover();
  }

  add(run: Run): void {
    (run.hosted === undefined ? this.#local : this.#hosted).add(run);
  }

  find(runId: string): RunRecord | undefined {
    return this.#of(runId).find(runId);
  }

  pause(runId: string): Promise<RunRecord | undefined> {
    return this.#of(runId).pause(runId);
  }

  resume(runId: string): Promise<RunRecord | undefined> {
    return this.#of(runId).resume(runId);
  }

  cancel(runId: string): Promise<RunRecord | undefined> {
    return this.#of(runId).cancel(runId);
  }

  label(runId: string, changes: LabelChanges): Promise<RunRecord | undefined> {
    return this.#of(runId).label(runId, changes);
  }

  applySettings(): void {
    this.#local.applySettings();
  }

  async close(): Promise<void> {
    await Promise.all([this.#local.close(), this.#hosted.close()]);
  }

  #of(runId: string): UnfinishedRuns {
    return this.#hosted.find(runId) === undefined ? this.#local : this.#hosted;
  }
}
