// The record of an unfinished run: what it says now, and what the disk has of it. Who calls: RunLife, one turn at a time.
import type { CancelTimer, Clock } from '../base/clock.ts';
import type { Run } from '../domain/run/run.ts';
import type { RunStore } from '../storage/run-store.ts';

export type RunRecordParts = {
  readonly store: Pick<RunStore, 'save'>;
  readonly clock: Clock;
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
    await this.#parts.store.save(run);
    return this.#take(run);
  }

  /**
   * For a change that may be lost in a crash: told at once, durable with the next `save` or `saveIfOlder`.
   * @param onDue called when it should no longer wait for another change
   */
  saveSoon(run: Run, onDue: () => void): void {
    this.#cancelLateSave = this.#parts.clock.setTimer(soonMs, onDue);
    this.#take(run);
  }

  /** Saves what the disk does not have yet. Throws `store_degraded`. */
  async saveIfOlder(): Promise<void> {
    if (this.#cancelLateSave !== undefined) await this.save(this.#run);
  }

  #take(run: Run): Run {
    this.#run = run;
    this.#parts.onChange();
    return run;
  }
}
