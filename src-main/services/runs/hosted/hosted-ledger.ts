// The record of one run at a hosted service, and the only code that changes it. The record is the ledger of what may be
// billed, see `domain/hosted/hosted-attempt.ts`. Who calls: HostedRun.
// INVARIANT: changes happen one at a time; each is durable before it is published.
import { isoTime, type Clock } from '../../../base/clock.ts';
import { invariant } from '../../../base/invariant.ts';
import type { Log } from '../../../base/log.ts';
import { Mutex } from '../../../base/mutex.ts';
import { sleep } from '../../../base/sleep.ts';
import type { Alignment } from '../../../domain/hosted/align-outputs.ts';
import {
  isUnknownOutcome,
  withoutProblem,
  type HostedAttempt,
} from '../../../domain/hosted/hosted-attempt.ts';
import { movesTo } from '../../../domain/hosted/hosted-moves.ts';
import { isFinal, type RunMove, type RunStatus } from '../../../domain/run/run-status.ts';
import { moveRun, rowsIn, type RowCounts, type Run } from '../../../domain/run/run.ts';
import { isRefusedForNow } from '../../../domain/store-errors.ts';
import type { RunExecutionStore, RunReading, RunRecord, RunRecords } from '../../ports.ts';
import { shortageDelayMs } from '../recovery.ts';
import { RunRecordWriter } from '../run-record-writer.ts';
import type { HostedConnections } from './connections.ts';
import type { HostedClient } from './hosted-client.ts';
import { resultBatches } from './hosted-results.ts';
import type { HostedPacer } from './pacer.ts';

/** Needed for all runs at hosted services. */
export type HostedDeps = {
  readonly store: RunReading & Pick<RunRecords, 'save' | 'list' | 'listUnfinished'> & RunExecutionStore;
  readonly client: HostedClient;
  readonly pacer: HostedPacer;
  readonly connections: Pick<HostedConnections, 'get'>;
  /** Locked while a body of rows or outputs is in memory. */
  readonly bodies: Mutex;
  readonly clock: Clock;
  readonly log: Log;
  /** False: the folder is only looked into, and nothing is sent or asked. */
  readonly isActive: boolean;
};

export type LedgerListeners = {
  /** The retention clock, in ms: what the end of the run is stamped with. */
  readonly retentionNow: () => number;
  /** Called after each stored change. */
  readonly onStored: () => void;
};

export class HostedLedger {
  readonly #deps: HostedDeps & LedgerListeners;
  readonly #writer: RunRecordWriter;
  readonly #mutex = new Mutex();
  #counts: RowCounts;

  constructor(deps: HostedDeps & LedgerListeners, { run, counts }: RunRecord) {
    this.#deps = deps;
    this.#writer = new RunRecordWriter(deps, run);
    this.#counts = counts;
  }

  get run(): Run {
    return this.#writer.stored;
  }

  get record(): RunRecord {
    return { run: this.run, counts: this.#counts };
  }

  get attempt(): HostedAttempt {
    const { hosted } = this.run;
    invariant(hosted !== undefined, 'only runs of a hosted service have a ledger');
    return hosted;
  }

  /** True if nothing happens with the run by itself any more. */
  get isAtRest(): boolean {
    return isFinal(this.run.status) || isUnknownOutcome(this.run);
  }

  /** Stores the next record; rejects with the signal's reason if it is aborted before. */
  change(next: () => Run, signal?: AbortSignal): Promise<void> {
    return this.#mutex.run(async () => {
      signal?.throwIfAborted();
      const changed = next();
      if (changed !== this.run) await this.#writer.save(changed);
    });
  }

  /** The same, and waits for a shortage to end: what the next record says could not be learnt a second time. */
  async changeSurely(next: () => Run, signal: AbortSignal): Promise<void> {
    for (;;) {
      try {
        return await this.change(next, signal);
      } catch (error) {
        if (signal.aborted || !isRefusedForNow(error)) throw error;
        await sleep(this.#deps.clock, shortageDelayMs, signal);
      }
    }
  }

  /** Resolves once all changes requested so far are stored. */
  settled(): Promise<void> {
    return this.#mutex.settled();
  }

  /** Stores the outputs of the service as results; the end of the run is stored with the last of them. */
  storeOutputs(entries: readonly string[], alignment: Alignment, signal: AbortSignal): Promise<void> {
    return this.#mutex.run(async () => {
      signal.throwIfAborted();
      const { store } = this.#deps;
      const { runId, rows } = this.run;
      const { by: matchedBy, fields } = alignment;
      const matched = this.withAttempt({
        matchedBy,
        ...(fields === undefined ? {} : { matchFields: fields }),
      });
      const results = await store.openResults(runId, rowsIn(this.#counts) === 0);
      const { connection } = this.attempt;
      const aligned = { entries, alignment, connection, afterRow: results.committedRows };
      for await (const batch of resultBatches(store.readRows(runId), aligned)) {
        const counts = results.countsWith(batch);
        const end =
          rowsIn(counts) === rows
            ? this.#writer.stamped(this.movedTo('completed', { from: matched, counts }))
            : undefined;
        await results.commit(batch, end);
        this.#counts = counts;
        if (end !== undefined) this.#writer.noteStored(end);
      }
      if (!isFinal(this.run.status)) await this.#writer.save(this.movedTo('completed', { from: matched }));
    });
  }

  /** The record with changes of its attempt, and without a problem. */
  withAttempt(changes: Partial<HostedAttempt>): Run {
    return { ...this.run, hosted: { ...withoutProblem(this.attempt), ...changes } };
  }

  /** The paused record of a run of which only a user can find out whether the service has its rows. */
  unknown(problem: string): Run {
    return this.movedTo('paused', { from: this.withAttempt({ isUnknown: true, problem }) });
  }

  failed(error: string, from = this.run): Run {
    return this.movedTo('failed', { from, error });
  }

  /** The record after the moves that lead to a status. */
  movedTo(
    to: RunStatus,
    { from, ...data }: { readonly from: Run; readonly error?: string; readonly counts?: RowCounts },
  ): Run {
    return movesTo(from.status, to).reduce((run, move) => this.moved(run, move, data), from);
  }

  /** Throws `move_not_allowed`. */
  moved(
    run: Run,
    move: RunMove,
    { error, counts = this.#counts }: { readonly error?: string; readonly counts?: RowCounts } = {},
  ): Run {
    const at = isoTime(this.#deps.clock);
    return moveRun(run, move, { at, counts, ...(error === undefined ? {} : { error }) });
  }
}
