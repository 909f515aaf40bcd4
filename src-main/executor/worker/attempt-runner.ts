// Runs author code, one piece after the other, and the attempts of nodes, with retries, time limits and remaining promise
// jobs. Who calls: RowRunner.
// INVARIANT: the promise jobs that a piece of author code leaves behind have run before another piece of any row begins,
// and before its own node ends.
// INVARIANT: a value that author code throws leaves this class as a NodeError. It is described at once, since reading it may
// run author code too.
import type { Clock } from '../../base/clock.ts';
import { longestWaitMs } from '../../domain/duration.ts';
import { matchesStatus } from '../../domain/upstream/status-class.ts';
import type { Retry } from '../../domain/workflow/workflow.ts';
import type { NodeStarted } from '../protocol.ts';
import type { PauseGate } from './pause-gate.ts';
import type { MainChannel } from './main-channel.ts';
import { NodeError, notRetried, toNodeError, type CallFailure } from './node-error.ts';
import { assertRowNeeded, type RowRun } from './row-run.ts';
import type { Sandbox, RowScope } from './sandbox.ts';
import type { CompiledStep } from './compiled-step.ts';

export type AttemptDeps = {
  readonly sandbox: Sandbox;
  readonly pauseGate: PauseGate;
  readonly channel: MainChannel;
  readonly clock: Clock;
  /** Maximum computing time of one attempt, in ms. */
  readonly timeLimitMs: number;
  /** Computing time of this process so far, in ms. */
  readonly cpuMs: () => number;
  /** Resolves once no promise job is left. */
  readonly nextTurn: () => Promise<void>;
  /** Called with the change when more, or less, work of a row runs at the same time. */
  readonly countLanes: (change: number) => void;
  /** Resolves when the main process ends the wait. */
  readonly wait: (ms: number, scope: RowScope) => Promise<void>;
};

/** Maximum age of the computing time read before an attempt, in ms: the attempt may be charged this much too much. */
const cpuSampleMs = 100;

export class AttemptRunner {
  readonly #deps: AttemptDeps;
  /** Monotonic time at which the last attempt of any row ended, or the current row began. */
  now = 0;
  /** Computing time shortly before the current attempt. It is read seldom, since reading it costs more than a node. */
  #cpu = { at: 0, ms: 0 };

  constructor(deps: AttemptDeps) {
    this.#deps = deps;
  }

  /** Runs the attempts of a node or one of its items. Returns the first value, or a promise of it. */
  runAttempts(step: CompiledStep, run: RowRun): unknown {
    if (step.retry === undefined) return this.#attempt(step, run);
    try {
      const first = this.#attempt(step, run);
      return first instanceof Promise ? this.#orRetry(step, run, first) : first;
    } catch (error) {
      return this.#retry(step, run, error);
    }
  }

  async #orRetry(step: CompiledStep, run: RowRun, first: Promise<unknown>): Promise<unknown> {
    try {
      return await first;
    } catch (error) {
      return this.#retry(step, run, error);
    }
  }

  /** Further attempts after the first has failed; throws what the last one threw. */
  async #retry(step: CompiledStep, run: RowRun, failure: unknown): Promise<unknown> {
    const { pauseGate, wait } = this.#deps;
    let last = toNodeError(failure);
    while (step.retry !== undefined && run.attempt < step.retry.attempts) {
      if (!isRetried(last, step.retry)) throw notRetried(last);
      run.retries += 1;
      const pause = Math.max(retryDelayMs(step.retry, run.attempt), last.retryAfterMs);
      if (pause > 0) await wait(pause, run);
      while (pauseGate.isBlocked) await pauseGate.unblocked();
      run.attempt += 1;
      run.refuses = last.callFailure?.refuses;
      try {
        return await this.#attempt(step, run);
      } catch (error) {
        last = toNodeError(error);
      } finally {
        run.refuses = undefined;
      }
    }
    throw last;
  }

  #attempt(step: CompiledStep, run: RowRun): unknown {
    if (step.leavesJobs) return this.#attemptWithJobs(step, run);
    this.#enterAuthorCode(step, run);
    run.attempts += 1;
    const before = run.hasWaited ? this.#deps.clock.monotonic() : this.now;
    const value = callCode(step.run, run);
    this.#recordComputing(step, run, before);
    return value;
  }

  /** Jobs that the code leaves behind count as part of its computing time. */
  async #attemptWithJobs(step: CompiledStep, run: RowRun): Promise<unknown> {
    run.attempts += 1;
    const { value, before } = await this.runCode(step, run, step.run);
    this.#recordComputing(step, run, before);
    return value;
  }

  /** Runs a piece of author code that leaves no promise jobs, while no other piece is at work. */
  runSync<T>(step: CompiledStep, run: RowRun, code: (scope: RowScope) => T): T {
    this.#enterAuthorCode(step, run);
    return callCode(code, run);
  }

  /**
   * Runs a piece of author code once no other piece runs, and then the promise jobs that it leaves behind. Other code waits
   * until no job is left, so that all jobs see their own row.
   * @returns the value in an object, since it may be the promise of a call; and when the code began, in monotonic ms
   */
  async runCode<T>(
    step: CompiledStep,
    run: RowRun,
    code: (scope: RowScope) => T,
  ): Promise<{ readonly value: T; readonly before: number }> {
    const { pauseGate, clock, nextTurn } = this.#deps;
    while (pauseGate.isBlocked) await pauseGate.unblocked();
    this.#enterAuthorCode(step, run);
    const before = clock.monotonic();
    if (!step.leavesJobs) return { value: callCode(code, run), before };
    pauseGate.lock();
    try {
      return { value: callCode(code, run), before };
    } finally {
      await nextTurn();
      pauseGate.unlock();
    }
  }

  /** Records that an attempt has computed since `before`. Throws NodeError if that was too long. */
  #recordComputing(step: CompiledStep, run: RowRun, before: number): void {
    const { clock, channel, cpuMs } = this.#deps;
    const now = clock.monotonic();
    this.now = now;
    channel.sendHeartbeatIfDue(now);
    // The computing time of a called workflow has been counted node by node.
    if (step.limit.computeMs < Infinity) run.caller?.timeoutBudget.spendComputing(now - before);
    this.#assertInTime(step, now - before);
    if (now - this.#cpu.at > cpuSampleMs) this.#cpu = { at: now, ms: cpuMs() };
  }

  #assertInTime({ limit }: CompiledStep, tookMs: number): void {
    if (tookMs <= limit.computeMs) return;
    // On a busy machine, most of that time may have been a wait for a core.
    const isOver = limit.isTimeout || this.#deps.cpuMs() - this.#cpu.ms > limit.computeMs;
    if (isOver) throw new NodeError(limit.timeoutMessage);
  }

  /** Prepares for a piece of author code. Throws for a row that is no longer needed, which ends the row. */
  #enterAuthorCode(step: CompiledStep, run: RowRun): void {
    if (run.hasWaited) assertRowNeeded(run);
    this.#deps.sandbox.enterRow(run);
    if (!run.batch.isolated) return;
    this.#deps.channel.send(nodeStarted(step, run, this.#deps.timeLimitMs));
  }
}

/** Calls a piece of author code. Throws only NodeErrors. */
function callCode<T>(code: (scope: RowScope) => T, run: RowRun): T {
  try {
    return code(run);
  } catch (error) {
    throw toNodeError(error);
  }
}

/** The message before a node's code runs. It names a node of the run's own workflow: the main process knows no other. */
const nodeStarted = (step: CompiledStep, { caller, attempt }: RowRun, timeLimitMs: number): NodeStarted => ({
  type: 'node-started',
  nodeId: caller?.nodeId ?? step.nodeId,
  attempt: caller?.attempt ?? attempt,
  allowedMs: Math.min(step.limit.computeMs, timeLimitMs),
  timeoutMessage: `${caller === undefined ? '' : `${caller.messagePrefix}node "${step.nodeId}": `}${step.limit.timeoutMessage}`,
});

/** The pause after failed attempt number `attempt` (from 1), in ms: `delay`, then `delay × backoff`, and so on. */
export const retryDelayMs = (retry: Retry, attempt: number): number =>
  Math.min(retry.delayMs * retry.backoff ** (attempt - 1), longestWaitMs);

/** True if the node tries again after the error. */
function isRetried({ retryAfterMs, callFailure }: NodeError, { on }: Pick<Retry, 'on'>): boolean {
  if (retryAfterMs === Infinity) return false;
  // A mock says how a node fails, not for which reason.
  if (on !== undefined && callFailure?.kind !== 'mock')
    return callFailure !== undefined && isNamed(callFailure, on);
  return callFailure?.kind !== 'status' || !blamesRequest(callFailure.status ?? 0);
}

const isNamed = ({ kind, status = 0 }: CallFailure, on: NonNullable<Retry['on']>): boolean =>
  kind === 'status' ? matchesStatus(on, status) : on.some((failure) => failure === kind);

/** True for a status that blames the request: the same request would get it again. */
const blamesRequest = (status: number): boolean => status < 500 && !retriedStatuses.has(status);

/** Statuses below 500 that are retried: timed out, and too many requests. */
const retriedStatuses: ReadonlySet<number> = new Set([408, 429]);
