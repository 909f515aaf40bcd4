// Stores the results of a run as the executor hands them over. A start that is not stored yet, or the end of the run,
// is stored in the same transaction, unless another change of the record is under way.
// Who calls: ActiveRun opens one for each execution.
import type { Clock } from '../../base/clock.ts';
import { isoTime } from '../../base/clock.ts';
import type { Mutex } from '../../base/mutex.ts';
import { completedRun, completesWith } from '../../domain/run/run-decisions.ts';
import type { RowCounts } from '../../domain/run/run.ts';
import type { Plan } from '../../executor/plan.ts';
import type { BatchResult, OutputSink } from '../../executor/ports.ts';
import type { RunResults } from '../ports.ts';
import type { RunRecordWriter } from './run-record-writer.ts';

export type CommitterDeps = {
  readonly results: RunResults;
  readonly record: RunRecordWriter;
  /** Locked while the record changes. */
  readonly mutex: Mutex;
  readonly plan: Plan;
  /** True if nothing else has to be stored before the run says that it has ended. */
  readonly mayEndWithResults: boolean;
  readonly clock: Clock;
  /** Called with what is stored, before the changed record is published. */
  readonly onStored: (counts: RowCounts) => void;
};

export class RunCommitter implements OutputSink {
  readonly #deps: CommitterDeps;

  constructor(deps: CommitterDeps) {
    this.#deps = deps;
  }

  async commit(batch: BatchResult): Promise<void> {
    const { results, mutex, onStored } = this.#deps;
    // Never waits for the mutex: a cancel holds it while it waits for the results that are under way.
    if (!mutex.isLocked) return mutex.run(() => this.#commitWithRecord(batch));
    await results.commit(batch);
    onStored(results.counts);
  }

  async #commitWithRecord(batch: BatchResult): Promise<void> {
    const { results, record, plan, mayEndWithResults, clock, onStored } = this.#deps;
    const run = record.latest;
    const counts = results.countsWith(batch);
    const ends = mayEndWithResults && run.status === 'running' && completesWith(run, counts, plan);
    const changed = ends
      ? record.stamped(completedRun(run, { at: isoTime(clock), counts }))
      : record.unsavedStart;
    await results.commit(batch, changed);
    onStored(counts);
    if (changed !== undefined) record.noteStored(changed);
  }
}
