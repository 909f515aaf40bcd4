// Removes chains that ended before the maximum age, or while the store is above its maximum size. A chain ends with its newest
// attempt, and stays whole while an attempt is unfinished or pinned, and for at least a day. Who calls: RunService.
//
// Age is measured on the retention clock: it begins with the wall clock at the first start of a data folder and passes
// only while a process has the folder. INVARIANT: no change of the wall clock removes a run (decision 021).
import type { CancelTimer, Clock } from '../../base/clock.ts';
import { isoTime } from '../../base/clock.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Log } from '../../base/log.ts';
import { Throttled } from '../../base/throttled.ts';
import type { RemovedRuns, RetentionFile } from '../../domain/run/retention-file.ts';
import type { Settings } from '../../domain/settings.ts';
import type { PastBounds, RetentionBounds } from '../../domain/run/stored-run.ts';
import type { Document, RunRecords } from '../ports.ts';

export type RetentionDeps = {
  readonly document: Document<RetentionFile>;
  readonly store: Pick<RunRecords, 'isAboveSize' | 'pastBounds' | 'remove' | 'swept'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly bounds: () => Settings['retention'];
  /** Texts of workflows that runs still being accepted need. */
  readonly retainedHashes: () => readonly string[];
  /** Runs the action unless another server is running its own; absent: there is no other server. */
  readonly asOnlyServer?: ((action: () => Promise<void>) => Promise<void>) | undefined;
};

const dayMs = 24 * 60 * 60 * 1000;
const gigabyte = 1_000_000_000;
/** No finished run is removed before this age, whatever the bounds. */
const minAgeMs = dayMs;
const applyEveryMs = 1000;
/** Interval at which old runs are removed, in ms; also the most that a crash may take from the retention clock. */
const lookEveryMs = 10 * 60 * 1000;
/** Less than this is not worth a write at the end of a process, in ms. */
const minSavedMs = 60 * 1000;
/** Runs that are removed in one transaction. */
const groupSize = 500;

export class Retention {
  /** Ids of runs that were removed. */
  readonly removals: Emitter<string>;
  /** The removals so far, sent after each removal. */
  readonly events: Emitter<RemovedRuns>;
  readonly #deps: RetentionDeps;
  readonly #throttle: Throttled;
  /** The retention clock when this process began, and monotonic time then. */
  readonly #from: number;
  readonly #since: number;
  #savedMs: number | undefined;
  #cancelTimer: CancelTimer | undefined;

  constructor(deps: RetentionDeps) {
    this.#deps = deps;
    const { clock, document, log } = deps;
    this.#savedMs = document.value.clockMs;
    this.#from = this.#savedMs ?? clock.now();
    this.#since = clock.monotonic();
    const onError = (error: unknown): void => log.error({ error }, 'a listener to runs failed');
    this.removals = new Emitter(onError);
    this.events = new Emitter(onError);
    this.#throttle = new Throttled({ clock, everyMs: applyEveryMs, act: () => this.#applyRetention() });
  }

  /** The retention clock, in ms: that of the server that is ahead, as far as it was saved. */
  now(): number {
    const own = this.#from + Math.round(this.#deps.clock.monotonic() - this.#since);
    return Math.max(own, this.#deps.document.value.clockMs ?? own);
  }

  /** The removals so far; undefined if there were none. */
  get removed(): RemovedRuns | undefined {
    return this.#deps.document.value.removed;
  }

  /** Called before runs execute, since the times of their ends must be valid after a crash. */
  async start(): Promise<void> {
    if (this.#savedMs === undefined) await this.#save();
  }

  /** Removes what is past the bounds, soon. */
  request(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = this.#deps.clock.setTimer(lookEveryMs, () => this.request());
    this.#throttle.request();
  }

  /** Removes runs now, which the caller found to be ended. Throws `store_degraded`, `disk_full`. */
  async removeRuns(runIds: readonly string[]): Promise<void> {
    const { store, retainedHashes, log } = this.#deps;
    await store.remove(runIds, retainedHashes());
    for (const runId of runIds) this.removals.emit(runId);
    log.info({ runIds }, 'runs were removed');
  }

  /** The number of finished runs that these bounds would remove now, and the end of the newest of them. */
  async preview(
    bounds: Settings['retention'],
  ): Promise<{ readonly runs: number; readonly newest: string | null }> {
    const { byAge, bySize, newestFinishedAt } = await this.#deps.store.pastBounds(this.#boundsAt(bounds));
    return { runs: byAge.length + bySize.length, newest: newestFinishedAt ?? null };
  }

  async close(): Promise<void> {
    this.#cancelTimer?.();
    await this.#throttle.close();
    if (this.now() - (this.#savedMs ?? 0) >= minSavedMs) await this.#save();
  }

  #boundsAt({ days, gigabytes }: Settings['retention']): RetentionBounds {
    return {
      endedBeforeMs: this.now() - days * dayMs,
      keepEndedAfterMs: this.now() - minAgeMs,
      maxBytes: gigabytes * gigabyte,
    };
  }

  async #applyRetention(): Promise<void> {
    const { log, asOnlyServer = (action) => action() } = this.#deps;
    try {
      await asOnlyServer(() => this.#removePast());
    } catch (error) {
      log.warn({ error }, 'old runs could not be removed');
    }
  }

  async #removePast(): Promise<void> {
    const { store, bounds } = this.#deps;
    const limits = bounds();
    const past = await store.pastBounds(this.#boundsAt(limits));
    store.isAboveSize = past.isAboveSize;
    if (past.byAge.length + past.bySize.length > 0) await this.#remove(past, limits);
    else if (this.now() - (this.#savedMs ?? 0) >= lookEveryMs) await this.#save();
  }

  async #remove(past: PastBounds, { days, gigabytes }: Settings['retention']): Promise<void> {
    const { store, retainedHashes, clock, log } = this.#deps;
    const runIds = [...past.byAge, ...past.bySize].sort();
    for (let from = 0; from < runIds.length; from += groupSize) {
      const group = runIds.slice(from, from + groupSize);
      await store.remove(group, retainedHashes());
      for (const runId of group) this.removals.emit(runId);
    }
    const limits = {
      ...(past.byAge.length > 0 ? { days } : {}),
      ...(past.bySize.length > 0 ? { gigabytes } : {}),
    };
    log.info(
      {
        runs: runIds.length,
        oldest: runIds[0],
        newest: runIds.at(-1),
        pastDays: past.byAge.length,
        pastSize: past.bySize.length,
        limits,
      },
      'retention removed older runs',
    );
    const lastAt = isoTime(clock);
    await this.#save((before) => ({ runs: (before?.runs ?? 0) + runIds.length, lastAt, limits }));
    if (this.removed !== undefined) this.events.emit(this.removed);
  }

  async #save(count?: (before: RemovedRuns | undefined) => RemovedRuns): Promise<void> {
    const clockMs = this.now();
    await this.#deps.document.update((file) => ({
      ...file,
      // Another server may be ahead.
      clockMs: Math.max(clockMs, file.clockMs ?? 0),
      ...(count === undefined ? {} : { removed: count(file.removed) }),
    }));
    this.#savedMs = clockMs;
  }
}
