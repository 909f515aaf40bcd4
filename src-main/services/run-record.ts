// The record of an unfinished run: what it says now, and what the disk has of it. Who calls: RunLife, one turn at a time.
import type { CancelTimer, Clock } from '../base/clock.ts';
import { isShortage } from '../domain/store-errors.ts';
import { isFinal } from '../domain/run/run-status.ts';
import type { Run } from '../domain/run/run.ts';
import type { RunStore } from '../storage/run-store.ts';

export type RunRecordParts = {
  readonly store: Pick<RunStore, 'save'>;
  readonly clock: Clock;
  /** The retention clock, in ms: what the end of a run is stamped with. */
  readonly retentionNow: () => number;
  /** Told after each change. */
  readonly onChange: () => void;
};

/** Longer than small runs take, in ms: what a run's end says as well is then written once. */
const soonMs = 100;

export class RunRecord {
  readonly #parts: RunRecordParts;
  #run: Run;
  /** While the disk has an older one. */
  #cancelLateSave: CancelTimer | undefined;

  constructor(parts: RunRecordParts, run: Run) {
    this.#parts = parts;
    this.#run = run;
  }

  get run(): Run {
    return this.#run;
  }

  /** Durable when it resolves, and only then told. Throws `store_degraded`. */
  async save(run: Run): Promise<Run> {
    this.#cancelLateSave?.();
    this.#cancelLateSave = undefined;
    const { store, retentionNow } = this.#parts;
    const stamped = isFinal(run.status) ? { ...run, retentionStamp: retentionNow() } : run;
    await store.save(stamped);
    return this.#take(stamped);
  }

  /**
   * For a change that may be lost in a crash: told at once, durable with the next `save` or `saveIfOlder`.
   * @param onDue called when it should no longer wait for another change
   */
  saveSoon(run: Run, onDue: () => void): void {
    this.#cancelLateSave = this.#parts.clock.setTimer(soonMs, onDue);
    this.#take(run);
  }

  /** Saves what the disk does not have yet, except in a shortage of the system. Throws `store_degraded`. */
  async saveIfOlder(): Promise<void> {
    if (this.#cancelLateSave === undefined) return;
    await this.save(this.#run).catch((error: unknown) => {
      // The next change of the record says it as well.
      if (!isShortage(error)) throw error;
    });
  }

  #take(run: Run): Run {
    this.#run = run;
    this.#parts.onChange();
    return run;
  }
}
