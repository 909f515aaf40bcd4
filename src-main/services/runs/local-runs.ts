// Executes runs in this process, a few at the same time, in the order in which they were accepted. Who calls: RunService.
import type { LabelChanges } from '../../domain/run/run-labels.ts';
import { canMove, isFinal } from '../../domain/run/run-status.ts';
import type { RowCounts, Run } from '../../domain/run/run.ts';
import { ActiveRun } from './active-run.ts';
import type { UnfinishedRunListeners, UnfinishedRuns, RunRecord } from '../ports.ts';
import type { ExecutionDeps } from './open-execution.ts';
import { RunQueue } from './run-queue.ts';

export class LocalRuns implements UnfinishedRuns {
  readonly #deps: ExecutionDeps;
  readonly #listeners: UnfinishedRunListeners;
  /** In the order in which this process met them. */
  readonly #active = new Map<string, ActiveRun>();
  readonly #queue: RunQueue<ActiveRun>;

  constructor(deps: ExecutionDeps, listeners: UnfinishedRunListeners) {
    this.#deps = deps;
    this.#listeners = listeners;
    this.#queue = new RunQueue({
      clock: deps.clock,
      capacity: () => deps.settings().runsAtOnce,
      onError: (error) => deps.log.error({ error }, 'a queued run could not start'),
    });
  }

  /** Takes up the unfinished runs of an earlier process, oldest first; those at hosted services are not executed here. */
  async recover(): Promise<void> {
    const { log, store, wasCrashed } = this.#deps;
    const found: ActiveRun[] = [];
    for (const stored of await store.listUnfinished()) {
      if ('run' in stored && stored.run.hosted !== undefined) continue;
      if ('run' in stored) found.push(this.#addActive(stored.run, stored.counts));
      else log.error({ runId: stored.runId }, stored.problem);
    }
    await Promise.all(
      found.map(async (active) => {
        try {
          await active.settleAfterRestart();
        } catch (error) {
          log.error({ runId: active.run.runId, error }, 'a run could not be taken up again');
        }
      }),
    );
    for (const active of found.filter(({ run }) => run.status === 'running')) {
      if (wasCrashed) active.noteCrash();
      this.#queue.push(active);
    }
    for (const active of found.filter(({ run }) => canMove(run.status, 'start'))) this.#queue.push(active);
    this.#queue.open();
  }

  add(run: Run): void {
    const active = this.#addActive(run, noRows);
    this.#listeners.onChange({ run, counts: noRows });
    this.#queue.push(active);
  }

  find(runId: string): RunRecord | undefined {
    const active = this.#active.get(runId);
    return active && recordOf(active);
  }

  pause(runId: string): Promise<RunRecord | undefined> {
    return this.#onActive(runId, async (active) => {
      this.#queue.remove(active);
      await active.pause();
    });
  }

  resume(runId: string): Promise<RunRecord | undefined> {
    return this.#onActive(runId, async (active) => {
      const run = await active.resume();
      if (run.status === 'queued') this.#queue.push(active);
    });
  }

  cancel(runId: string): Promise<RunRecord | undefined> {
    return this.#onActive(runId, async (active) => {
      await active.cancel();
      this.#queue.remove(active);
    });
  }

  label(runId: string, changes: LabelChanges): Promise<RunRecord | undefined> {
    return this.#onActive(runId, (active) => active.label(changes));
  }

  /** Runs that wait may start now. */
  applySettings(): void {
    this.#queue.fill();
  }

  /** Ends all executions; the runs stay as they are and go on at the next start. */
  async close(): Promise<void> {
    this.#queue.close();
    await Promise.all([...this.#active.values()].map((active) => active.stop()));
  }

  async #onActive(
    runId: string,
    act: (active: ActiveRun) => Promise<unknown>,
  ): Promise<RunRecord | undefined> {
    const active = this.#active.get(runId);
    if (active === undefined) return undefined;
    await act(active);
    return recordOf(active);
  }

  #addActive(run: Run, counts: RowCounts): ActiveRun {
    const { retentionNow } = this.#listeners;
    const listeners = {
      retentionNow,
      onChange: (changed: ActiveRun) => this.#onChange(changed),
      onTryLater: (waiting: ActiveRun) => this.#queue.push(waiting),
    };
    const active = new ActiveRun({ ...this.#deps, ...listeners }, run, counts);
    this.#active.set(run.runId, active);
    return active;
  }

  #onChange(active: ActiveRun): void {
    const { run } = active;
    if (isFinal(run.status)) this.#active.delete(run.runId);
    if (active.isSuspended) this.#evictOldest();
    this.#listeners.onChange(recordOf(active));
  }

  /** Ends the processes of the runs that were paused longest. A few paused runs keep theirs, so that rows go on where they were. */
  #evictOldest(): void {
    const suspended = [...this.#active.values()].filter((active) => active.isSuspended);
    for (const active of suspended.slice(0, Math.max(0, suspended.length - maxSuspended))) {
      active
        .evict()
        .catch((error: unknown) => this.#deps.log.warn({ error }, 'a paused run keeps its workers'));
    }
  }
}

/** Paused runs that keep their workers, about 50 MB each. */
const maxSuspended = 4;

const noRows: RowCounts = { rowsDone: 0, rowsFailed: 0 };

const recordOf = ({ run, counts, progress }: ActiveRun): RunRecord => ({ run, counts, progress });
