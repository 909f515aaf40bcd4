// Nodes with `share: run`: equal calls of one run are made once. The first row makes the call, the others wait for it, and
// later ones get its answer. Who calls: the code that builds a run's upstream; only scenarios are outside of it.
// INVARIANT: no output shows which row made a call: all get the same answer, duration and idempotency key.
import { createHash } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { deferred } from '../../base/deferred.ts';
import { sleep, untilAborted } from '../../base/sleep.ts';
import { describeDuration } from '../../domain/duration.ts';
import { counted } from '../../domain/format.ts';
import { requestKey } from '../../domain/upstream/request-key.ts';
import { matchesStatus } from '../../domain/upstream/status-class.ts';
import type { CallContext, CallOrigin, Upstream, UpstreamAnswer, UpstreamRequest } from '../ports.ts';
import { defaultBounds } from './bounds.ts';
import { nameOf } from './call.ts';
import { CallPostponed } from './rate-limits.ts';

type Answered = Extract<UpstreamAnswer, { kind: 'answered' }>;

/** An answer that rows get. The first of them has made the call. */
type Outcome = { readonly answer: UpstreamAnswer; isTaken: boolean };

/** All calls with one request. */
type SharedCall = {
  readonly key: string;
  /** Row and site that asked first: a recording has the call as theirs. */
  readonly first: Pick<CallOrigin, 'row' | 'site'>;
  /** Calls made so far; a recording has them as attempts. */
  calls: number;
  answer: Outcome | undefined;
  active: ActiveCall | undefined;
};

/** A call under way. */
type ActiveCall = {
  readonly outcome: Promise<Outcome>;
  /** Resolves when the call begins, after a wait for its rate limit. */
  readonly begun: Promise<void>;
  /** Ends the call. A later row makes another one. */
  readonly abandon: () => void;
  /** Rows that wait for the answer. Those that a pause sent back still count. */
  waiting: number;
};

type SharedCallsOptions = {
  readonly runId: string;
  readonly clock: Clock;
  /** Maximum answers of a run, and of their bytes. */
  readonly maxAnswers?: number;
  readonly maxBytes?: number;
};

const maxSharedAnswers = 100_000;
const maxSharedBytes = 100_000_000;
/** Bodies above it go to workers one at a time, as those of other calls do. */
const largeBodyBytes = 65_536;

/** Shares calls whose request says `isShared`; others go to `inner` unchanged. */
export function shareEqualCalls(inner: Upstream, options: SharedCallsOptions): Upstream {
  const shared = new SharedCalls(inner, options);
  return {
    call: (request, around) =>
      request.isShared ? shared.call(request, around) : inner.call(request, around),
    differingRequests: () => inner.differingRequests?.() ?? 0,
    // Without `close`, a run may end together with its last results.
    ...(inner.close === undefined ? {} : { close: async () => inner.close?.() }),
  };
}

class SharedCalls {
  readonly #inner: Upstream;
  readonly #options: SharedCallsOptions;
  readonly #calls = new Map<string, SharedCall>();
  #answers = 0;
  #bytes = 0;

  constructor(inner: Upstream, options: SharedCallsOptions) {
    this.#inner = inner;
    this.#options = options;
  }

  async call(request: UpstreamRequest, around: CallContext): Promise<UpstreamAnswer> {
    around.signal.throwIfAborted();
    const key = requestKey(request);
    const shared = this.#sharedCall(key, around.origin);
    if (request.refuses !== undefined && versionOf(shared) === request.refuses) this.#drop(shared);
    const { answer } = shared;
    if (answer !== undefined && !isFailure(answer.answer, request)) return take(answer, around);
    if (shared.active !== undefined) return this.#wait(shared.active, request, around);
    if (this.#isFull) return this.#refusal(request);
    // A pause sends back who waits, but for the row that makes the call.
    const { pause: _, ...maker } = around;
    return this.#wait(this.#begin(shared, request, around), request, maker);
  }

  #sharedCall(key: string, { row, site }: CallOrigin): SharedCall {
    const known = this.#calls.get(key);
    if (known !== undefined) return known;
    const made = { key, first: { row, site }, calls: 0, answer: undefined, active: undefined };
    this.#calls.set(key, made);
    return made;
  }

  /** The call has a signal of its own, since it goes on while any row waits for it. */
  #begin(shared: SharedCall, request: UpstreamRequest, around: CallContext): ActiveCall {
    const { runId, clock } = this.#options;
    const aborter = new AbortController();
    const begun = deferred<void>();
    let startedAt = clock.monotonic();
    if (request.intervalMs === undefined) begun.resolve();
    const onBegin = (): void => {
      startedAt = clock.monotonic();
      begun.resolve();
      around.onBegin?.();
    };
    const { pause } = around;
    shared.calls += 1;
    const version = shared.calls;
    const answering = this.#inner.call(untimed(request), {
      idempotencyKey: `${runId}/share/${createHash('sha256').update(shared.key).digest('hex').slice(0, 32)}`,
      signal: aborter.signal,
      onBegin,
      origin: { ...shared.first, attempt: version },
      ...(pause === undefined ? {} : { pause }),
    });
    const finish = async (): Promise<Outcome> => {
      try {
        const answer = await answering;
        const ms = Math.round(clock.monotonic() - startedAt);
        const outcome = {
          answer: answer.kind === 'failed' ? answer : { ...answer, shared: { version, ms } },
          isTaken: false,
        };
        if (!isFailure(answer, request)) this.#keepAnswer(shared, outcome);
        // Memory must not grow with the calls of an outage.
        else if (answer.kind === 'failed' && version === 1) this.#calls.delete(shared.key);
        return outcome;
      } catch (error) {
        // The call was not made.
        if (shared.calls === version) shared.calls -= 1;
        throw error;
      } finally {
        if (shared.active === active) shared.active = undefined;
      }
    };
    const abandon = (): void => {
      if (shared.active !== active) return;
      shared.active = undefined;
      aborter.abort(new Error('no row waits for the call'));
    };
    const active: ActiveCall = { outcome: finish(), begun: begun.promise, abandon, waiting: 0 };
    // After an abort, no row waits for it.
    active.outcome.catch(() => undefined);
    shared.active = active;
    return active;
  }

  async #wait(active: ActiveCall, request: UpstreamRequest, around: CallContext): Promise<UpstreamAnswer> {
    const { pause } = around;
    const ended = new AbortController();
    let isPostponed = false;
    active.waiting += 1;
    try {
      const outcome = await Promise.race([
        untilAborted(active.outcome, around.signal),
        ...(pause === undefined ? [] : [untilPaused(pause, ended.signal)]),
        this.#untilTimedOut(active, request, ended.signal),
      ]);
      return await take(outcome, around);
    } catch (error) {
      isPostponed = error instanceof CallPostponed;
      throw error;
    } finally {
      ended.abort();
      if (!isPostponed) active.waiting -= 1;
      if (active.waiting === 0) active.abandon();
    }
  }

  /** Resolves to the failure of a row that waited for the call as long as its node allows. */
  async #untilTimedOut(
    { begun }: ActiveCall,
    request: UpstreamRequest,
    ended: AbortSignal,
  ): Promise<Outcome> {
    const { timeoutMs = defaultBounds.totalMs } = request;
    await begun;
    await sleep(this.#options.clock, timeoutMs, ended);
    const message = `${nameOf(request)} timed out after ${describeDuration(timeoutMs)}`;
    return { answer: { kind: 'failed', message }, isTaken: false };
  }

  #keepAnswer(shared: SharedCall, outcome: Outcome): void {
    this.#drop(shared);
    shared.answer = outcome;
    this.#answers += 1;
    this.#bytes += bytesOf(outcome);
  }

  #drop(shared: SharedCall): void {
    if (shared.answer === undefined) return;
    this.#answers -= 1;
    this.#bytes -= bytesOf(shared.answer);
    shared.answer = undefined;
  }

  get #isFull(): boolean {
    const { maxAnswers = maxSharedAnswers, maxBytes = maxSharedBytes } = this.#options;
    return this.#answers >= maxAnswers || this.#bytes >= maxBytes;
  }

  #refusal(request: UpstreamRequest): UpstreamAnswer {
    const { maxAnswers = maxSharedAnswers } = this.#options;
    const limit = this.#answers >= maxAnswers ? counted(maxAnswers, 'answer') : 'answers of 100 MB';
    const message = `${nameOf(request)} is not made: a run shares ${limit} at most. Leave "share" out where calls seldom repeat`;
    return { kind: 'failed', message, isFinal: true };
  }
}

/** The request without its own time limit: each row that waits has one. */
function untimed(request: UpstreamRequest): UpstreamRequest {
  const { isShared: _, refuses: __, ...made } = request;
  return made.timeoutMs === undefined ? made : { ...made, timeoutMs: defaultBounds.maxTotalMs };
}

const versionOf = ({ answer }: SharedCall): number | undefined =>
  answer?.answer.kind === 'answered' ? answer.answer.shared?.version : undefined;

const bytesOf = ({ answer }: Outcome): number => (answer.kind === 'answered' ? answer.body.byteLength : 0);

/** The answer for one more row. Only the first has made the call. */
async function take(outcome: Outcome, { room, signal }: CallContext): Promise<UpstreamAnswer> {
  const { answer, isTaken } = outcome;
  outcome.isTaken = true;
  if (answer.kind === 'failed') return answer;
  if (answer.body.byteLength > largeBodyBytes) await room?.(signal);
  return isTaken ? asShared(answer) : answer;
}

const asShared = (answer: Answered): Answered => ({ ...answer, by: 'share' });

const isFailure = (answer: UpstreamAnswer, { expect = [] }: UpstreamRequest): boolean =>
  answer.kind === 'failed' || (answer.status >= 400 && !matchesStatus(expect, answer.status));

/** Rejects with `CallPostponed` in a pause. */
const untilPaused = (pause: AbortSignal, ended: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const postpone = (): void => reject(new CallPostponed());
    if (pause.aborted) return postpone();
    pause.addEventListener('abort', postpone, { once: true, signal: ended });
  });
