// The runs of a team that have not ended, as one of its servers sees them: the workers of the team execute them. Who
// calls: RunService.
import type { CancelTimer, Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { sleep } from '../../base/sleep.ts';
import { Throttled } from '../../base/throttled.ts';
import { isRefusedForNow } from '../../domain/store-errors.ts';
import type { LabelChanges } from '../../domain/run/run-labels.ts';
import type { Run } from '../../domain/run/run.ts';
import type { RunRecords, UnfinishedRunListeners, UnfinishedRuns, RunRecord } from '../../services/ports.ts';
import { runsChannel } from './locked-run.ts';
import type { SegmentWorker } from './segment-worker.ts';
import type { TeamSql } from '../sql.ts';
import type { TeamMoves } from './team-moves.ts';

type TeamRunsDeps = {
  readonly database: TeamSql;
  readonly moves: TeamMoves;
  readonly store: Pick<RunRecords, 'find'>;
  /** Executes segments in this process, too; undefined: only other processes execute them. */
  readonly worker: Pick<SegmentWorker, 'start' | 'close'> | undefined;
  readonly clock: Clock;
  readonly log: Log;
};

/** Interval at which pages are notified of changed runs, in ms. */
const reportEveryMs = 100;
/** Interval at which the progress of running runs is read, in ms: commits send no notice. */
const lookEveryMs = 500;
/** Interval at which a cancelled run is read until it has ended, in ms. */
const endEveryMs = 100;

export class TeamRuns implements UnfinishedRuns {
  readonly #deps: TeamRunsDeps;
  readonly #listeners: UnfinishedRunListeners;
  readonly #changed = new Set<string>();
  readonly #reports: Throttled;
  readonly #closed = new AbortController();
  #listener: { close(): Promise<void> } | undefined;
  #cancelTimer: CancelTimer | undefined;
  /** Time of the last change of a segment that was seen, by the database's clock. */
  #seenAt = '1970-01-01';

  constructor(deps: TeamRunsDeps, listeners: UnfinishedRunListeners) {
    this.#deps = deps;
    this.#listeners = listeners;
    const act = (): Promise<void> => this.#report();
    this.#reports = new Throttled({ clock: deps.clock, everyMs: reportEveryMs, act });
  }

  /** Begins to listen for changes. Unfinished runs are in the queue already. */
  async recover(): Promise<void> {
    this.#listener = await this.#deps.database.listen(
      { [runsChannel]: (runId) => this.#note(runId) },
      () => undefined,
    );
    await this.#deps.worker?.start();
    this.#lookLater();
  }

  add(run: Run): void {
    this.#listeners.onChange({ run, counts: { rowsDone: 0, rowsFailed: 0 } });
  }

  find(): undefined {
    return undefined;
  }

  pause(runId: string): Promise<RunRecord | undefined> {
    return this.#recordAfter(this.#deps.moves.pause(runId));
  }

  resume(runId: string): Promise<RunRecord | undefined> {
    return this.#recordAfter(this.#deps.moves.resume(runId));
  }

  /** Waits until no worker has a segment of the run; for a lost worker, until its lease has ended. */
  async cancel(runId: string): Promise<RunRecord | undefined> {
    let run = await this.#deps.moves.cancel(runId);
    if (run === undefined) return undefined;
    while (run.finishedAt === null) {
      await sleep(this.#deps.clock, endEveryMs, this.#closed.signal);
      try {
        const found = await this.#deps.store.find(runId);
        if (found === undefined) return undefined;
        run = found.run;
      } catch (error) {
        // The cancel is stored: the run ends whether or not the database answers now.
        if (!isRefusedForNow(error)) throw error;
      }
    }
    return this.#deps.store.find(runId);
  }

  label(runId: string, changes: LabelChanges): Promise<RunRecord | undefined> {
    return this.#recordAfter(this.#deps.moves.label(runId, changes));
  }

  applySettings(): void {
    // Each worker has its own number of slots.
  }

  async close(): Promise<void> {
    this.#closed.abort();
    this.#cancelTimer?.();
    await this.#deps.worker?.close();
    await this.#reports.close();
    await this.#listener?.close();
  }

  async #recordAfter(move: Promise<Run | undefined>): Promise<RunRecord | undefined> {
    const run = await move;
    return run && this.#deps.store.find(run.runId);
  }

  #note(runId: string): void {
    this.#changed.add(runId);
    this.#reports.request();
  }

  async #report(): Promise<void> {
    const runIds = [...this.#changed];
    this.#changed.clear();
    for (const runId of runIds) {
      try {
        const record = await this.#deps.store.find(runId);
        if (record !== undefined) this.#listeners.onChange(record);
      } catch (error) {
        this.#deps.log.warn({ runId, error }, 'a change of a run could not be read');
      }
    }
  }

  #lookLater(): void {
    if (this.#closed.signal.aborted) return;
    this.#cancelTimer = this.#deps.clock.setTimer(lookEveryMs, () => {
      this.#look()
        .catch((error: unknown) => this.#deps.log.warn({ error }, 'the progress of runs could not be read'))
        .finally(() => this.#lookLater());
    });
  }

  /** Collects the runs with new commits since the last check. */
  async #look(): Promise<void> {
    const found = await this.#deps.database.query<{ run_id: string; changed_at: string }>(
      `select r.run_id, max(s.changed_at)::text as changed_at
       from rowbench.runs r join rowbench.segments s using (owner)
       where r.ended_at_ms is null and s.changed_at > $1::timestamptz group by r.run_id`,
      [this.#seenAt],
    );
    for (const { run_id: runId, changed_at: changedAt } of found) {
      if (changedAt > this.#seenAt) this.#seenAt = changedAt;
      this.#note(runId);
    }
    await this.#settleMoves();
  }

  /** Continues moves that wait for workers: these may be lost, and no other worker may take their place. */
  async #settleMoves(): Promise<void> {
    const found = await this.#deps.database.query<{ run_id: string }>(
      `select run_id from rowbench.runs
       where ended_at_ms is null and (requested_action = 'cancel' or status = 'pausing')`,
    );
    for (const { run_id: runId } of found) await this.#deps.moves.settle(runId);
  }
}
