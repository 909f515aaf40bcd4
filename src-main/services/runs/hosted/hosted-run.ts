// One unfinished run at a hosted service: it sends the rows, follows the status and fetches the outputs. Who calls:
// HostedRuns.
// INVARIANT: a POST whose outcome is unknown is never repeated but by `resend`, which a person asks for. `sentAt` is durable
// before the rows leave, so this holds after a crash, too.
import { isoTime } from '../../../base/clock.ts';
import { runInPieces } from '../../../base/event-loop-yield.ts';
import { sleep } from '../../../base/sleep.ts';
import { alignOutputs, readEntries } from '../../../domain/hosted/align-outputs.ts';
import {
  decodeUtf8,
  type HostedProblem,
  type StatusOutcome,
  type TriggerOutcome,
} from '../../../domain/hosted/hosted-answers.ts';
import {
  isUnknownOutcome,
  unsentAttempt,
  withoutProblem,
  withSeen,
  type HostedAttempt,
} from '../../../domain/hosted/hosted-attempt.ts';
import type { StoredConnection } from '../../../domain/hosted/hosted-connection.ts';
import {
  hostedOutcomeUnknown,
  noCallForMove,
  outcomeKnown,
  runNotThere,
} from '../../../domain/hosted-errors.ts';
import { byteSize } from '../../../domain/format.ts';
import type { Operation } from '../../../domain/limits/published-limits.ts';
import type { LabelChanges } from '../../../domain/run/run-labels.ts';
import { labelRun, rowsIn, type Run } from '../../../domain/run/run.ts';
import { isRefusedForNow } from '../../../domain/store-errors.ts';
import type { RunRecord } from '../../ports.ts';
import { shortageDelayMs } from '../recovery.ts';
import { HostedLedger, type HostedDeps, type LedgerListeners } from './hosted-ledger.ts';
import { textLines } from './hosted-results.ts';

/** Maximum bytes of rows that one POST carries: it is sent from memory. */
export const maxSentBytes = 16_000_000;
/** Time for which a service that cannot be reached is tried again, before anything was sent, in ms. */
const unreachableMs = 300_000;
/** Time for which a run is asked for without a useful answer, in ms. Then a person has to look. */
const silentMs = 86_400_000;
/** Waits before the first status calls, and between all others, in ms: six a minute are allowed. */
const firstPollsMs = [500, 2_000];
const pollMs = 10_000;
/** Waits after calls that were no help grow from the first to the last, in ms. */
const firstRetryMs = 1_000;
const maxRetryMs = 60_000;
/** Time for the question whether the service has a run that a user names, in ms. */
const attachMs = 60_000;
/** Time that a stop leaves to a POST under way, in ms. */
const maxStopMs = 1_000;

/** Calls in a row that were no help, and when the last one was that did help, in monotonic ms. */
type Retry = { failures: number; sinceMs: number };

export class HostedRun {
  readonly #deps: HostedDeps;
  readonly #ledger: HostedLedger;
  #work: { readonly controller: AbortController; readonly ended: Promise<void> } | undefined;
  /** The POST that is under way, until its outcome is stored. */
  #posting: Promise<void> = Promise.resolve();

  constructor(deps: HostedDeps & LedgerListeners, record: RunRecord) {
    this.#deps = deps;
    this.#ledger = new HostedLedger(deps, record);
  }

  get run(): Run {
    return this.#ledger.run;
  }

  get record(): RunRecord {
    return this.#ledger.record;
  }

  get #attempt(): HostedAttempt {
    return this.#ledger.attempt;
  }

  /** At start-up: rows whose POST was interrupted may have arrived. */
  async settleAfterRestart(): Promise<void> {
    const { sentAt, runId } = this.#attempt;
    if (sentAt === undefined || runId !== undefined || this.#ledger.isAtRest) return;
    await this.#ledger.change(() => this.#ledger.unknown('Rowbench ended while the rows were sent'));
  }

  /** Sends or follows the run, if that is what it waits for. */
  start(): void {
    if (this.#ledger.isAtRest) return;
    this.#stopWork();
    const controller = new AbortController();
    const ended = this.#sendAndFollow(controller.signal).catch((error: unknown) => {
      if (!controller.signal.aborted)
        this.#deps.log.error({ runId: this.run.runId, error }, 'a hosted run could not go on');
    });
    this.#work = { controller, ended };
  }

  /** Ends what this process does for the run; it goes on at the next start. */
  async stop(): Promise<void> {
    const { ended } = this.#work ?? {};
    // Cut off, its outcome would be unknown.
    const waiting = new AbortController();
    const limit = sleep(this.#deps.clock, maxStopMs, waiting.signal).catch(nothing);
    await Promise.race([this.#posting, limit]);
    waiting.abort();
    this.#stopWork();
    await ended;
    await this.#ledger.settled();
  }

  /** Only rows that were not sent can wait here. Throws `move_not_allowed`. */
  pause(): Promise<void> {
    return this.#ledger.change(() => {
      if (this.#attempt.sentAt !== undefined) throw noCallForMove(this.#attempt.connection, 'pause');
      const paused = this.#ledger.moved(this.run, 'pause');
      this.#stopWork();
      return paused;
    });
  }

  /** Never sends rows again whose outcome is unknown. Throws `move_not_allowed`. */
  resume(): Promise<void> {
    return this.#ledger.change(() => {
      if (isUnknownOutcome(this.run)) throw hostedOutcomeUnknown(this.#attempt.connection, this.run.runId);
      if (this.#attempt.sentAt !== undefined) throw noCallForMove(this.#attempt.connection, 'resume');
      return this.#ledger.moved(this.run, 'resume');
    });
  }

  /** Lets go of the run; at the service it goes on. Throws `move_not_allowed`. */
  cancel(): Promise<void> {
    return this.#ledger.change(() => {
      const cancelled = this.#ledger.moved(this.run, 'cancel');
      this.#stopWork();
      return cancelled;
    });
  }

  /** Lets go of the run if its rows have not been sent. */
  withdraw(): Promise<void> {
    return this.#ledger.change(() => {
      if (this.#attempt.sentAt !== undefined || this.#ledger.isAtRest) return this.run;
      const cancelled = this.#ledger.moved(this.run, 'cancel');
      this.#stopWork();
      return cancelled;
    });
  }

  label(changes: LabelChanges): Promise<void> {
    return this.#ledger.change(() => labelRun(this.run, changes));
  }

  /**
   * Follows the run that a person has found at the service. Throws `move_not_allowed` unless the outcome is unknown, and
   * `invalid_input` for an id that the service does not know.
   */
  async attach(runId: string): Promise<void> {
    await this.#assertThere(runId);
    return this.#resolveUnknown((attempt) => {
      const { isUnknown: _, ...known } = withoutProblem(attempt);
      return { ...known, runId, seen: [] };
    });
  }

  /** Sends the rows once more, as a person has decided. Throws `move_not_allowed` unless the outcome is unknown. */
  resend(): Promise<void> {
    return this.#resolveUnknown(({ connection }) => ({ connection, seen: [] }));
  }

  /** A wrong id would be followed for a day before it could be put right. */
  async #assertThere(runId: string): Promise<void> {
    if (!isUnknownOutcome(this.run)) throw outcomeKnown(this.run.runId);
    const { workflowId } = this.run;
    const signal = AbortSignal.timeout(attachMs);
    const answer = await this.#call({ operation: 'status', resourceId: runId }, signal, (connection) =>
      this.#deps.client.status({ connection, workflowId, runId }, signal),
    );
    if (answer.kind === 'problem' && answer.isUnknownRun === true)
      throw runNotThere(this.#attempt.connection, runId);
  }

  #resolveUnknown(resolve: (attempt: HostedAttempt) => HostedAttempt): Promise<void> {
    return this.#ledger.change(() => {
      const { run, counts } = this.record;
      if (!isUnknownOutcome(run) || rowsIn(counts) > 0) throw outcomeKnown(run.runId);
      return this.#ledger.moved({ ...run, hosted: resolve(this.#attempt) }, 'resume');
    });
  }

  async #sendAndFollow(signal: AbortSignal): Promise<void> {
    const retry = this.#noFailure();
    while (!this.#ledger.isAtRest) {
      try {
        if (this.#attempt.runId !== undefined) await this.#follow(this.#attempt.runId, signal);
        else if (this.run.status === 'queued') await this.#send(retry, signal);
        else return;
      } catch (error) {
        if (!isRefusedForNow(error)) throw error;
        await sleep(this.#deps.clock, shortageDelayMs, signal);
      }
    }
  }

  async #send(retry: Retry, signal: AbortSignal): Promise<void> {
    const { bodies, clock } = this.#deps;
    await this.#call({ operation: 'trigger', resourceId: this.run.workflowId }, signal, (connection) =>
      bodies.run(() => {
        const posted = this.#post(connection, retry, signal);
        this.#posting = posted.then(nothing, nothing);
        return posted;
      }),
    );
    const isUnsent = this.#attempt.sentAt === undefined && this.run.status === 'queued';
    if (isUnsent) await sleep(clock, retryDelayMs(retry), signal);
  }

  async #post(
    connection: StoredConnection,
    retry: Retry,
    signal: AbortSignal,
  ): Promise<TriggerOutcome | undefined> {
    const { client, store, clock } = this.#deps;
    const ledger = this.#ledger;
    const { runId, workflowId } = this.run;
    const lines = await textLines(store.readRows(runId), maxSentBytes);
    if (lines === undefined) {
      await ledger.change(() => ledger.failed(tooLargeText(connection.name)), signal);
      return undefined;
    }
    if (this.#attempt.sentAt !== undefined) {
      // It was sent, and its outcome could not be stored.
      await ledger.change(() => ledger.unknown('Rowbench could not store the answer'), signal);
      return undefined;
    }
    await ledger.change(() => ledger.withAttempt({ sentAt: isoTime(clock) }), signal);
    const outcome = await client
      .trigger({ connection, workflowId, lines: lines.join('\n') }, signal)
      .catch((error: unknown): TriggerOutcome => {
        signal.throwIfAborted();
        return { kind: 'unknown', message: `could not be called: ${String(error)}` };
      });
    const isNotReached = outcome.kind === 'notSent' && outcome.waitMs === undefined;
    if (isNotReached) retry.failures += 1;
    const isOver = isNotReached && clock.monotonic() - retry.sinceMs > unreachableMs;
    await ledger.changeSurely(() => this.#after(outcome, isOver), signal);
    return outcome;
  }

  /** The record after a POST. @param isOver the service could not be reached for too long */
  #after(outcome: TriggerOutcome, isOver: boolean): Run {
    const ledger = this.#ledger;
    if (outcome.kind === 'accepted') return ledger.withAttempt({ runId: outcome.runId });
    const problem = saidBy(this.#attempt.connection, outcome.message);
    if (outcome.kind === 'unknown') return ledger.unknown(problem);
    if (outcome.kind === 'refused')
      return ledger.failed(problem, ledger.withAttempt({ refusedStatus: outcome.status }));
    const unsent = { ...this.run, hosted: unsentAttempt(this.#attempt, problem) };
    return isOver ? ledger.failed(`Not sent: ${problem}`, unsent) : unsent;
  }

  /** Asks for the run until it has ended. A completed one has ended here once its outputs are stored. */
  async #follow(runId: string, signal: AbortSignal): Promise<void> {
    const retry = this.#noFailure();
    for (let polls = 0; !this.#ledger.isAtRest; polls += 1) {
      const isCompleted = this.#attempt.seen.at(-1)?.status === 'completed';
      const delayMs = isCompleted ? 0 : (firstPollsMs[polls] ?? pollMs);
      await sleep(this.#deps.clock, retry.failures > 0 ? retryDelayMs(retry) : delayMs, signal);
      const answer = await (isCompleted ? this.#fetch(runId, signal) : this.#poll(runId, signal));
      if (answer.kind === 'problem') await this.#noteProblem(answer, retry, signal);
      else Object.assign(retry, this.#noFailure());
    }
  }

  async #poll(runId: string, signal: AbortSignal): Promise<StatusOutcome> {
    const { client, clock } = this.#deps;
    const { workflowId } = this.run;
    const answer = await this.#call({ operation: 'status', resourceId: runId }, signal, (connection) =>
      client.status({ connection, workflowId, runId }, signal),
    );
    if (answer.kind === 'problem') return answer;
    const { status, error } = answer;
    await this.#ledger.change(() => {
      const hosted = withSeen(this.#attempt, status, isoTime(clock));
      const from = hosted === this.#attempt ? this.run : { ...this.run, hosted };
      if (status === 'completed') return from;
      return this.#ledger.movedTo(status, { from, ...(error === undefined ? {} : { error }) });
    }, signal);
    return answer;
  }

  /** Fetches and stores the outputs of a completed run. */
  #fetch(runId: string, signal: AbortSignal): Promise<{ readonly kind: 'output' } | HostedProblem> {
    const { client, bodies } = this.#deps;
    const { workflowId } = this.run;
    return this.#call({ operation: 'output', resourceId: runId }, signal, (connection) =>
      bodies.run(async () => {
        const fetched = await client.output({ connection, workflowId, runId }, signal);
        if (fetched.kind === 'output') await this.#storeOutputs(fetched.body, connection, signal);
        else if (fetched.isTooLarge === true) {
          const error = `${saidBy(connection.name, fetched.message)}. Send fewer rows at once`;
          await this.#ledger.change(() => this.#ledger.failed(error), signal);
        }
        return fetched;
      }),
    );
  }

  async #storeOutputs(
    body: Uint8Array,
    { name, match }: StoredConnection,
    signal: AbortSignal,
  ): Promise<void> {
    const entries = await runInPieces(readEntries(body));
    if (entries === undefined) {
      const start = JSON.stringify(decodeUtf8(body.subarray(0, 200)));
      const error = `${name} answered with no output of a run: ${start}`;
      return this.#ledger.change(() => this.#ledger.failed(error), signal);
    }
    const rows = (await textLines(this.#deps.store.readRows(this.run.runId), Infinity)) ?? [];
    const alignment = await runInPieces(alignOutputs(rows, entries, match));
    await this.#ledger.storeOutputs(entries, alignment, signal);
  }

  /** Makes a call within the limits. */
  #call<Answer>(
    target: { readonly operation: Operation; readonly resourceId: string },
    signal: AbortSignal,
    call: (connection: StoredConnection) => Promise<Answer>,
  ): Promise<Answer> {
    const { pacer, connections } = this.#deps;
    const connection = connections.get(this.#attempt.connection);
    return pacer.run({ connection, ...target }, signal, () => call(connection));
  }

  async #noteProblem({ message }: HostedProblem, retry: Retry, signal: AbortSignal): Promise<void> {
    if (this.#ledger.isAtRest) return;
    retry.failures += 1;
    const problem = saidBy(this.#attempt.connection, message);
    const isSilent = this.#deps.clock.monotonic() - retry.sinceMs > silentMs;
    if (!isSilent && this.#attempt.problem === problem) return;
    await this.#ledger.change(
      () =>
        isSilent
          ? this.#ledger.unknown(`No useful answer for a day: ${problem}`)
          : this.#ledger.withAttempt({ problem }),
      signal,
    );
  }

  #noFailure(): Retry {
    return { failures: 0, sinceMs: this.#deps.clock.monotonic() };
  }

  #stopWork(): void {
    this.#work?.controller.abort(new Error('the run was moved'));
    this.#work = undefined;
  }
}

const nothing = (): undefined => undefined;

const retryDelayMs = ({ failures }: Retry): number =>
  failures === 0 ? 0 : Math.min(maxRetryMs, firstRetryMs * 2 ** (failures - 1));

const tooLargeText = (connection: string): string =>
  `Not sent: one call to ${connection} carries at most ${byteSize(maxSentBytes)} of rows. Split them, or take a sample`;

/** A sentence on an answer, or on a call without one: its address says nothing to a user of the connection. */
function saidBy(connection: string, message: string): string {
  const call = /^(GET|POST) \S+ /;
  return call.test(message)
    ? message.replace(call, `the call to ${connection} `)
    : `${connection} ${message}`;
}
