// The unfinished runs at hosted services. Who calls: RunService, through routedRuns, and the control API for unknown outcomes.
import {
  attachedAlready,
  connectionInUse,
  noOutputYet,
  notHosted,
  noUsefulAnswer,
  openAtService,
  outcomeKnown,
  hostedOutcomeUnknown,
} from '../../../domain/hosted-errors.ts';
import { isUnfinishedAttempt, isUnknownOutcome } from '../../../domain/hosted/hosted-attempt.ts';
import { chainIdOf } from '../../../domain/run/chain.ts';
import type { LabelChanges } from '../../../domain/run/run-labels.ts';
import { isFinal } from '../../../domain/run/run-status.ts';
import type { RowCounts, Run } from '../../../domain/run/run.ts';
import type { RunRecord, UnfinishedRunListeners, UnfinishedRuns } from '../../ports.ts';
import type { HostedDeps } from './hosted-ledger.ts';
import { HostedRun } from './hosted-run.ts';

/** Runs among which another one with the same id is searched for, the newest. */
const maxSearched = 10_000;

export class HostedRuns implements UnfinishedRuns {
  readonly #deps: HostedDeps;
  readonly #listeners: UnfinishedRunListeners;
  readonly #runs = new Map<string, HostedRun>();

  constructor(deps: HostedDeps, listeners: UnfinishedRunListeners) {
    this.#deps = deps;
    this.#listeners = listeners;
  }

  /** Takes up the runs of an earlier process. Rows whose POST was interrupted are not sent again. */
  async recover(): Promise<void> {
    const { store, log } = this.#deps;
    for (const stored of await store.listUnfinished()) {
      if (!('run' in stored) || stored.run.hosted === undefined) continue;
      const hosted = this.#open(stored.run, stored.counts);
      try {
        await hosted.settleAfterRestart();
        this.#start(hosted);
      } catch (error) {
        log.error({ runId: stored.run.runId, error }, 'a hosted run could not be taken up again');
      }
    }
  }

  add(run: Run): void {
    const hosted = this.#open(run, { rowsDone: 0, rowsFailed: 0 });
    this.#listeners.onChange(hosted.record);
    this.#start(hosted);
  }

  find(runId: string): RunRecord | undefined {
    return this.#runs.get(runId)?.record;
  }

  pause(runId: string): Promise<RunRecord | undefined> {
    return this.#on(runId, (hosted) => hosted.pause());
  }

  resume(runId: string): Promise<RunRecord | undefined> {
    return this.#on(runId, async (hosted) => {
      await hosted.resume();
      this.#start(hosted);
    });
  }

  cancel(runId: string): Promise<RunRecord | undefined> {
    return this.#on(runId, (hosted) => hosted.cancel());
  }

  label(runId: string, changes: LabelChanges): Promise<RunRecord | undefined> {
    return this.#on(runId, (hosted) => hosted.label(changes));
  }

  applySettings(): void {
    // None is about them.
  }

  async close(): Promise<void> {
    await Promise.all([...this.#runs.values()].map((hosted) => hosted.stop()));
  }

  /** Follows the run at the service that a person has found for an unknown outcome. Throws `move_not_allowed`, `invalid_input`. */
  attach(runId: string, idAtService: string): Promise<RunRecord> {
    return this.#resolve(runId, async (hosted) => {
      await this.#assertOfNoOther(hosted.run, idAtService);
      await hosted.attach(idAtService);
    });
  }

  /** Throws `invalid_input` if another run has the id: its outputs are those of other rows. */
  async #assertOfNoOther({ runId, workflowId }: Run, idAtService: string): Promise<void> {
    const records = await this.#deps.store.list({ workflowId, limit: maxSearched });
    const other = records.find(({ run }) => run.hosted?.runId === idAtService && run.runId !== runId);
    if (other !== undefined) throw attachedAlready(idAtService, other.run.runId);
  }

  /** Sends the rows of an unknown outcome once more. Throws `move_not_allowed`, `invalid_input`. */
  resend(runId: string): Promise<RunRecord> {
    return this.#resolve(runId, (hosted) => hosted.resend());
  }

  /** The answer with the outputs of a completed run, asked for once more. Throws `invalid_input`, `move_not_allowed`. */
  async fetchOutput({ runId, workflowId, hosted, status }: Run, signal: AbortSignal): Promise<Uint8Array> {
    if (hosted === undefined) throw notHosted(runId);
    if (hosted.runId === undefined || status !== 'completed') throw noOutputYet(runId, status);
    const { client, pacer, connections } = this.#deps;
    const connection = connections.get(hosted.connection);
    const there = { connection, workflowId, runId: hosted.runId };
    const call = { connection, operation: 'output', resourceId: hosted.runId } as const;
    const answer = await pacer.run(call, signal, () => client.output(there, signal));
    if (answer.kind === 'output') return answer.body;
    throw noUsefulAnswer(hosted.connection, answer.message);
  }

  /** Cancels the run if its rows have not been sent. */
  async withdraw(runId: string): Promise<void> {
    await this.#on(runId, (hosted) => hosted.withdraw());
  }

  /** Runs whose rows were sent, and for which no id came back. */
  unanswered(): readonly Run[] {
    return [...this.#runs.values()]
      .map(({ run }) => run)
      .filter(({ hosted }) => hosted?.sentAt !== undefined && hosted.runId === undefined);
  }

  /** Throws `move_not_allowed` if an attempt of the chain has not ended at a service: nothing else takes its rows. */
  assertNoneOf(chainId: string): void {
    for (const { run } of this.#runs.values()) {
      const { hosted, runId } = run;
      if (hosted === undefined || chainIdOf(run) !== chainId || !isUnfinishedAttempt(run)) continue;
      throw (isUnknownOutcome(run) ? hostedOutcomeUnknown : openAtService)(hosted.connection, runId);
    }
  }

  /** Throws `move_not_allowed` if runs of the connection have not ended. */
  assertUnused(connection: string): void {
    const open = [...this.#runs.values()].filter(({ run }) => run.hosted?.connection === connection);
    if (open.length > 0)
      throw connectionInUse(
        connection,
        open.map(({ run }) => run.runId),
      );
  }

  async #resolve(runId: string, act: (hosted: HostedRun) => Promise<void>): Promise<RunRecord> {
    const resolved = await this.#on(runId, async (hosted) => {
      await act(hosted);
      this.#start(hosted);
    });
    if (resolved !== undefined) return resolved;
    throw outcomeKnown(runId);
  }

  async #on(runId: string, act: (hosted: HostedRun) => Promise<void>): Promise<RunRecord | undefined> {
    const hosted = this.#runs.get(runId);
    if (hosted === undefined) return undefined;
    await act(hosted);
    return hosted.record;
  }

  #start(hosted: HostedRun): void {
    if (this.#deps.isActive) hosted.start();
  }

  #open(run: Run, counts: RowCounts): HostedRun {
    const { retentionNow } = this.#listeners;
    const onStored = (): void => {
      if (isFinal(hosted.run.status)) this.#runs.delete(run.runId);
      this.#listeners.onChange(hosted.record);
    };
    const hosted = new HostedRun({ ...this.#deps, retentionNow, onStored }, { run, counts });
    this.#runs.set(run.runId, hosted);
    return hosted;
  }
}

/** Unfinished runs that execute here, and those at hosted services. */
export function routedRuns(local: UnfinishedRuns, hosted: UnfinishedRuns): UnfinishedRuns {
  const of = (runId: string): UnfinishedRuns => (hosted.find(runId) === undefined ? local : hosted);
  return {
    recover: async () => {
      await local.recover();
      await hosted.recover();
    },
    add: (run) => (run.hosted === undefined ? local : hosted).add(run),
    find: (runId) => of(runId).find(runId),
    pause: (runId) => of(runId).pause(runId),
    resume: (runId) => of(runId).resume(runId),
    cancel: (runId) => of(runId).cancel(runId),
    label: (runId, changes) => of(runId).label(runId, changes),
    applySettings: () => local.applySettings(),
    close: async () => void (await Promise.all([local.close(), hosted.close()])),
  };
}
