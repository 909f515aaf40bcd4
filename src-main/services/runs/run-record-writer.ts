// The record of an unfinished run: as stored, and with a start that is not stored yet. Who calls: ActiveRun, one call
// at a time. INVARIANT: a change is published after it is durable.
import { isoTime, type CancelTimer, type Clock } from '../../base/clock.ts';
import { isRefusedForNow } from '../../domain/store-errors.ts';
import { isFinal } from '../../domain/run/run-status.ts';
import { moveRun, type RowCounts, type Run } from '../../domain/run/run.ts';
import type { RunRecords } from '../ports.ts';

type RecordWriterDeps = {
  readonly store: Pick<RunRecords, 'save'>;
  readonly clock: Clock;
  /** The retention clock, in ms; it gives the time of the end of a run. */
  readonly retentionNow: () => number;
  /** Called after each stored change. */
  readonly onStored: () => void;
};

/** Longer than small runs take, in ms: their start is stored together with their end. */
const startSaveMs = 100;

export class RunRecordWriter {
  readonly #deps: RecordWriterDeps;
  #stored: Run;
  #unsavedStart: Run | undefined;
  #cancelTimer: CancelTimer | undefined;

  constructor(deps: RecordWriterDeps, run: Run) {
    this.#deps = deps;
    this.#stored = run;
  }

  get stored(): Run {
    return this.#stored;
  }

  /** With a start that is not stored yet. */
  get latest(): Run {
    return this.#unsavedStart ?? this.#stored;
  }

  /** The start that is not stored yet; undefined: there is none. */
  get unsavedStart(): Run | undefined {
    return this.#unsavedStart;
  }

  /** The record as it has to be stored: an end is stamped with the retention clock. */
  stamped(run: Run): Run {
    return isFinal(run.status) ? { ...run, retentionStamp: this.#deps.retentionNow() } : run;
  }

  /** Stores a record. Throws `store_degraded`. */
  async save(run: Run): Promise<Run> {
    const stamped = this.stamped(run);
    await this.#deps.store.save(stamped);
    this.noteStored(stamped);
    return stamped;
  }

  /** Takes over a record that was stored together with results. */
  noteStored(run: Run): void {
    this.#cancelTimer?.();
    this.#unsavedStart = undefined;
    this.#stored = run;
    this.#deps.onStored();
  }

  /**
   * Starts the run, which is stored with the first results.
   * @param onDue called when it should be stored without them
   */
  start(counts: RowCounts, onDue: () => void): void {
    const { clock } = this.#deps;
    this.#unsavedStart = moveRun(this.#stored, 'start', { at: isoTime(clock), counts });
    this.#cancelTimer = clock.setTimer(startSaveMs, onDue);
  }

  /** Stores the start; in a shortage the next change does. Throws `store_degraded`. */
  async saveStart(): Promise<void> {
    this.#cancelTimer?.();
    if (this.#unsavedStart === undefined) return;
    await this.save(this.#unsavedStart).catch((error: unknown) => {
      if (!isRefusedForNow(error)) throw error;
    });
  }
}
