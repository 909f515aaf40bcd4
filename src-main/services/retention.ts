// Finished runs are kept up to a number and an age, whichever is reached first; unfinished ones always, and finished ones
// for a day at least. Who calls: RunService.
//
// Age is measured on the retention clock: it begins with the wall clock at the first start of a data folder and passes
// only while a process has the folder. INVARIANT: no change of the wall clock removes a run (decision 021).
import type { CancelTimer, Clock } from '../base/clock.ts';
import { isoTime } from '../base/clock.ts';
import { Emitter } from '../base/emitter.ts';
import type { Log } from '../base/log.ts';
import { Throttled } from '../base/throttled.ts';
import { snapshotsOf, type Run } from '../domain/run/run.ts';
import type { RemovedRuns } from '../domain/run/retention-file.ts';
import type { Settings } from '../domain/settings.ts';
import type { DataFolder } from '../storage/data-folder.ts';
import type { RunCatalog, RunRecord } from './run-catalog.ts';

export type RetentionDeps = {
  readonly folder: DataFolder;
  readonly catalog: RunCatalog;
  readonly clock: Clock;
  readonly log: Log;
  readonly bounds: () => Settings['retention'];
  /** Workflow texts that runs still being accepted will need; asked last, since more may have begun meanwhile. */
  readonly keepHashes: () => Iterable<string>;
  /** Whether the catalog has every stored run; until then no text is known to be needed by none. */
  readonly isComplete: () => boolean;
};

const dayMs = 24 * 60 * 60 * 1000;
/** No finished run is removed before this age, whatever the bounds. */
const minAgeMs = dayMs;
const tidyEveryMs = 1000;
/** Runs grow old while nothing else happens. Also what a crash may take from the retention clock. */
const lookEveryMs = 10 * 60 * 1000;
/** Less than this is not worth a write at the end of a process, in ms. */
const minSavedMs = 60 * 1000;

export class Retention {
  /** Ids of runs that were removed. */
  readonly removals: Emitter<string>;
  /** The removals so far, sent after each removal. */
  readonly facts: Emitter<RemovedRuns>;
  readonly #deps: RetentionDeps;
  readonly #tidying: Throttled;
  /** The retention clock when this process began, and monotonic time then. */
  readonly #from: number;
  readonly #since: number;
  #savedMs: number | undefined;
  #cancelTimer: CancelTimer | undefined;

  constructor(deps: RetentionDeps) {
    this.#deps = deps;
    const { clock, folder, log } = deps;
    this.#savedMs = folder.retention.value.clockMs;
    this.#from = this.#savedMs ?? clock.now();
    this.#since = clock.monotonic();
    const onError = (error: unknown): void => log.error({ error }, 'a listener to runs failed');
    this.removals = new Emitter(onError);
    this.facts = new Emitter(onError);
    this.#tidying = new Throttled({ clock, everyMs: tidyEveryMs, act: () => this.#tidy() });
  }

  /** The retention clock, in ms. */
  now(): number {
    return this.#from + Math.round(this.#deps.clock.monotonic() - this.#since);
  }

  /** The removals so far; undefined if there were none. */
  get removed(): RemovedRuns | undefined {
    return this.#deps.folder.retention.value.removed;
  }

  /** To be called before runs execute: what their ends are stamped with must count after a crash. */
  async start(): Promise<void> {
    if (this.#savedMs === undefined) await this.#save();
  }

  /** Removes what is past the bounds, soon. */
  ask(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = this.#deps.clock.setTimer(lookEveryMs, () => this.ask());
    this.#tidying.ask();
  }

  /** The number of finished runs that these bounds would remove now, and the end of the newest of them. */
  preview(bounds: Settings['retention']): { readonly runs: number; readonly newest: string | null } {
    const past = pastBounds(this.#deps.catalog.finished(), bounds, this.now());
    return { runs: past.length, newest: past[0]?.run.finishedAt ?? null };
  }

  async close(): Promise<void> {
    this.#cancelTimer?.();
    await this.#tidying.close();
    if (this.now() - (this.#savedMs ?? 0) >= minSavedMs) await this.#save();
  }

  async #tidy(): Promise<void> {
    const { catalog, bounds, log } = this.#deps;
    try {
      const past = pastBounds(catalog.finished(), bounds(), this.now());
      if (past.length > 0) await this.#remove(past);
      else if (this.now() - (this.#savedMs ?? 0) >= lookEveryMs) await this.#save();
    } catch (error) {
      log.warn({ error }, 'old runs could not be removed');
    }
  }

  /** Removes these runs, then the workflow texts that no run refers to any more. */
  async #remove(past: readonly RunRecord[]): Promise<void> {
    const { folder, catalog, log, keepHashes, isComplete } = this.#deps;
    // Out of the catalog first: who asks while they are being removed is told that there is no such run.
    for (const { run } of past) catalog.removeFinished(run.runId);
    const failures = await folder.runs.removeAll(past.map(({ run }) => run.runId));
    const removed = past.filter(({ run }) => !failures.has(run.runId));
    for (const { run } of removed) this.removals.emit(run.runId);
    for (const { run, counts } of past) {
      const error = failures.get(run.runId);
      if (error === undefined) continue;
      // Perhaps somebody reads it; the others go all the same, and this one the next time.
      catalog.addFinished(run, counts);
      log.warn({ runId: run.runId, error }, 'an old run could not be removed');
    }
    if (removed.length > 0) await this.#report(removed);
    if (!isComplete()) return;
    const kept = [...catalog.lives(), ...catalog.finished()].flatMap(({ run }) => snapshotsOf(run));
    await folder.snapshots.keepOnly(new Set([...kept, ...keepHashes()]));
  }

  /** @param removed newest first */
  async #report(removed: readonly RunRecord[]): Promise<void> {
    const { bounds, clock, log } = this.#deps;
    const { runs, days } = bounds();
    const tooOld = removed.filter(({ run }) => ageOf(run, this.now()) > days * dayMs).length;
    const limits = {
      ...(tooOld < removed.length ? { runs } : {}),
      ...(tooOld > 0 ? { days } : {}),
    };
    const [newest, oldest] = [removed[0]?.run.runId, removed.at(-1)?.run.runId];
    log.info(
      { runs: removed.length, oldest, newest, pastDays: tooOld, pastRuns: removed.length - tooOld, limits },
      'retention removed older runs',
    );
    const lastAt = isoTime(clock);
    await this.#save((before) => ({ runs: (before?.runs ?? 0) + removed.length, lastAt, limits }));
    if (this.removed !== undefined) this.facts.emit(this.removed);
  }

  async #save(count?: (before: RemovedRuns | undefined) => RemovedRuns): Promise<void> {
    const clockMs = this.now();
    await this.#deps.folder.retention.update((file) => ({
      ...file,
      clockMs,
      ...(count === undefined ? {} : { removed: count(file.removed) }),
    }));
    this.#savedMs = clockMs;
  }
}

/** In ms of the retention clock. The wall clock counts for runs that were stored without a stamp. */
const ageOf = (run: Run, now: number): number =>
  now - (run.retentionStamp ?? Date.parse(run.finishedAt ?? ''));

/**
 * The finished runs beyond the newest `runs`, in the order of acceptance, and those that ended more than `days` ago;
 * none that ended less than a day ago. Newest first.
 * @param now by the retention clock
 */
export function pastBounds(
  finished: readonly RunRecord[],
  bounds: Settings['retention'],
  now: number,
): readonly RunRecord[] {
  const isPastDays = ({ run }: RunRecord): boolean => ageOf(run, now) > bounds.days * dayMs;
  const isRemovable = ({ run }: RunRecord): boolean => ageOf(run, now) >= minAgeMs;
  const removable = finished.filter(isRemovable);
  // Asked after each run: while few enough are kept, not all of them are put in order for it.
  if (finished.length <= bounds.runs) return removable.filter(isPastDays).toSorted(newestFirst);
  const newest = removable.reduce((latest, { run }) => (run.runId > latest ? run.runId : latest), '');
  const candidates = finished.filter(({ run }) => run.runId <= newest).toSorted(newestFirst);
  const newer = finished.length - candidates.length;
  return candidates.filter(
    (record, index) => isRemovable(record) && (newer + index >= bounds.runs || isPastDays(record)),
  );
}

const newestFirst = (a: RunRecord, b: RunRecord): number => (a.run.runId < b.run.runId ? 1 : -1);
