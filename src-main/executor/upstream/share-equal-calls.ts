// Nodes with `share: run`: equal calls of one run are made once. The first row makes the call, the others wait for it, and
// later ones get its answer, from memory or from below: see store-equal-calls.ts. Who calls: the code that builds a run's
// upstream; only scenarios are outside of it.
// INVARIANT: no output shows which row made a call: all get the same answer, duration and idempotency key.
import type { Clock } from '../../base/clock.ts';
import { deferred } from '../../base/deferred.ts';
import { invariant } from '../../base/invariant.ts';
import { LruMap } from '../../base/lru-map.ts';
import { sleep, untilAborted } from '../../base/sleep.ts';
import { describeDuration } from '../../domain/duration.ts';
import { workflowMethod } from '../plan.ts';
import type { CallContext, CallOrigin, Upstream, UpstreamAnswer, UpstreamRequest } from '../ports.ts';
import { defaultBounds } from './bounds.ts';
import { nameOf } from './call.ts';
import { CallPostponed } from './rate-limits.ts';
import type { SessionCookies } from './session-cookies.ts';
import { callerOf, hashOfCall, isSharedAnswer, timedCall, type Answered } from './equal-call.ts';

/** An answer that rows get. */
type Outcome = {
  readonly answer: UpstreamAnswer;
  /** Row and site that made the call; undefined: the first row that takes the answer. */
  readonly maker: string | undefined;
  /** The session of the call, with the cookies that it has set; in memory only. */
  readonly cookies?: SessionCookies;
  /** True once that row has the answer. */
  isTaken: boolean;
};

/** All calls with one request. */
type SharedCall = {
  /** SHA-256 of the request. */
  readonly hash: string;
  /** Row and site that asked first: a recording has the call as theirs. */
  readonly first: Pick<CallOrigin, 'row' | 'site'>;
  /** Calls made so far; a recording has them as attempts. */
  calls: number;
  active: ActiveCall | undefined;
};

/** A call under way. */
type ActiveCall = {
  readonly outcome: Promise<Outcome>;
  /** Resolves when the call begins, after a wait for its rate limit, to the time. */
  readonly begun: Promise<number>;
  /** Ends the call. A later row makes another one. */
  readonly abandon: () => void;
  /** Rows that wait for the answer. Those that a pause sent back still count. */
  waiting: number;
};

type SharedCallsOptions = {
  readonly runId: string;
  readonly clock: Clock;
  /** True if `inner` stores the answers, and may wait for another process. */
  readonly isStored?: boolean;
  /** Gets the calls of workflows that rows share; absent: their workers run them, and their outputs are in memory only. */
  readonly workflows?: Upstream;
};

/** Ends a call of a shared workflow whose row ended before it: the next row that waits makes it. */
export class WorkReleased extends Error {
  /** How long a row has waited for it, in whole ms. */
  readonly waitedMs: number;

  constructor(waitedMs = 0) {
    super();
    this.waitedMs = waitedMs;
  }
}

/** Has shared workflows run by the worker of the row that calls them. */
export const rowWorkers: Upstream = {
  call: async (_request, around) => {
    around.onBegin?.();
    invariant(around.runInWorker !== undefined, 'only calls of workflows are made by workers');
    return around.runInWorker(around);
  },
};

/** Maximum calls in memory, their answers included, and bytes of their bodies. Other answers are asked for again. */
const maxCallsInMemory = 100_000;
const maxBytesInMemory = { stored: 8_000_000, unstored: 100_000_000 } as const;
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

/** Has each row run the workflows that it shares itself, in its own worker, so that all their calls are seen. Nothing is stored. */
export function withOwnWorkflows(upstream: Upstream, options: SharedCallsOptions): Upstream {
  const own = shareEqualCalls(upstream, options);
  return {
    call: (request, around) => (around.runInWorker === undefined ? upstream : own).call(request, around),
  };
}

class SharedCalls {
  readonly #inner: Upstream;
  readonly #options: SharedCallsOptions;
  readonly #calls = new Map<string, SharedCall>();
  /** Answers that are no failures, by the hash of the request. */
  readonly #answers: LruMap<string, Outcome>;

  constructor(inner: Upstream, options: SharedCallsOptions) {
    this.#inner = inner;
    this.#options = options;
    this.#answers = new LruMap({
      maxEntries: maxCallsInMemory,
      maxSize: maxBytesInMemory[options.isStored && options.workflows ? 'stored' : 'unstored'],
      sizeOf: ({ answer }) => (answer.kind === 'answered' ? answer.body.byteLength : 0),
    });
  }

  /** Rows that wait one after the other for others that are out of time have no more time than a single one. */
  async call(request: UpstreamRequest, around: CallContext): Promise<UpstreamAnswer> {
    const { timeoutMs = Infinity } = request;
    let waitedMs = 0;
    while (waitedMs < timeoutMs)
      try {
        return await this.#call(request, { ...around, waitedMs });
      } catch (error) {
        if (!(error instanceof WorkReleased)) throw error;
        waitedMs += error.waitedMs;
      }
    return timedOut(request, timeoutMs);
  }

  async #call(request: UpstreamRequest, around: CallContext): Promise<UpstreamAnswer> {
    around.signal.throwIfAborted();
    const shared = this.#sharedCall(hashOfCall(request, around), around.origin);
    const outcome = this.#answers.get(shared.hash);
    const isRefused = outcome !== undefined && versionOf(outcome) === request.refuses;
    if (isRefused) this.#answers.delete(shared.hash);
    else if (outcome !== undefined && isSharedAnswer(outcome.answer, request)) return take(outcome, around);
    if (shared.active !== undefined) return this.#wait(shared.active, request, around);
    // A pause sends back who waits, but for the row that makes the call.
    const { pause: _, ...maker } = around;
    // The worker limits the time of the workflow that it runs.
    const { timeoutMs: _own, ...unlimited } = request;
    const waited = around.runInWorker === undefined ? request : unlimited;
    return this.#wait(this.#begin(shared, request, around), waited, maker);
  }

  #sharedCall(hash: string, { row, site }: CallOrigin): SharedCall {
    const known = this.#calls.get(hash);
    if (known !== undefined) return known;
    const made = { hash, first: { row, site }, calls: 0, active: undefined };
    this.#calls.set(hash, made);
    const [oldest] = this.#calls.values();
    if (oldest !== undefined && oldest.active === undefined && this.#calls.size > maxCallsInMemory)
      this.#calls.delete(oldest.hash);
    return made;
  }

  /** The call has a signal of its own, since it goes on while any row waits for it. */
  #begin(shared: SharedCall, request: UpstreamRequest, around: CallContext): ActiveCall {
    const { runId, clock, isStored, workflows = rowWorkers } = this.#options;
    const { runInWorker, waitedMs = 0 } = around;
    const aborter = new AbortController();
    const begun = deferred<number>();
    // A wait for another process is not part of the call, as that for a rate limit.
    const mayWait = isStored === true && around.cookies === undefined;
    if (request.intervalMs === undefined && !mayWait) begun.resolve(clock.monotonic());
    const onBegin = (): void => {
      begun.resolve(clock.monotonic());
      around.onBegin?.();
    };
    const { pause } = around;
    const session = around.cookies === undefined ? {} : { cookies: around.cookies.copy() };
    shared.calls += 1;
    const call = shared.calls;
    const context: CallContext = {
      idempotencyKey: `${runId}/share/${shared.hash}`,
      signal: aborter.signal,
      onBegin,
      origin: { ...shared.first, attempt: call },
      ...(pause === undefined ? {} : { pause }),
      ...session,
      ...(runInWorker === undefined ? {} : { runInWorker, waitedMs }),
    };
    const inner = runInWorker === undefined ? this.#inner : workflows;
    const answering = timedCall({ inner, clock }, untimed(request), context);
    const finish = async (): Promise<Outcome> => {
      try {
        const outcome = { ...outcomeOf(await answering, call), ...session };
        if (isSharedAnswer(outcome.answer, request)) this.#answers.set(shared.hash, outcome);
        // Memory must not grow with the calls of an outage.
        else if (outcome.answer.kind === 'failed' && call === 1) this.#calls.delete(shared.hash);
        return outcome;
      } catch (error) {
        // The call was not made.
        if (shared.calls === call) shared.calls -= 1;
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
    const { pause, runInWorker, waitedMs = 0 } = around;
    const startedAt = this.#options.clock.monotonic();
    const { timeoutMs = runInWorker === undefined ? defaultBounds.totalMs : undefined } = request;
    const ended = new AbortController();
    let isPostponed = false;
    active.waiting += 1;
    try {
      const outcome = await Promise.race([
        untilAborted(active.outcome, around.signal),
        ...(pause === undefined ? [] : [untilPaused(pause, ended.signal)]),
        ...(timeoutMs === undefined
          ? []
          : [this.#untilTimedOut(active, { ...request, timeoutMs }, { waitedMs, ended: ended.signal })]),
      ]);
      return await take(outcome, around);
    } catch (error) {
      isPostponed = error instanceof CallPostponed;
      throw error instanceof WorkReleased ? await this.#releasedAfter(active, startedAt) : error;
    } finally {
      ended.abort();
      if (!isPostponed) active.waiting -= 1;
      if (active.waiting === 0) active.abandon();
    }
  }

  async #releasedAfter({ begun }: ActiveCall, startedAt: number): Promise<WorkReleased> {
    const waitedMs = this.#options.clock.monotonic() - Math.max(startedAt, await begun);
    return new WorkReleased(Math.round(waitedMs));
  }

  /** Resolves to the failure of a row that waited for the call as long as its node allows. */
  async #untilTimedOut(
    { begun }: ActiveCall,
    { timeoutMs, ...request }: UpstreamRequest & { readonly timeoutMs: number },
    { waitedMs, ended }: { readonly waitedMs: number; readonly ended: AbortSignal },
  ): Promise<Outcome> {
    await begun;
    await sleep(this.#options.clock, timeoutMs - waitedMs, ended);
    return { answer: timedOut(request, timeoutMs), maker: undefined, isTaken: false };
  }
}

/** A row that waits for a workflow gets the message of the row that runs it. */
const timedOut = (request: UpstreamRequest, timeoutMs: number): UpstreamAnswer => ({
  kind: 'failed',
  message: `${request.method === workflowMethod ? '' : `${nameOf(request)} `}timed out after ${describeDuration(timeoutMs)}`,
});

/** The request without its own time limit: each row that waits has one. */
function untimed(request: UpstreamRequest): UpstreamRequest {
  return request.timeoutMs === undefined ? request : { ...request, timeoutMs: defaultBounds.maxTotalMs };
}

/** The outcome of a call. A stored answer has its own version, duration and maker. */
function outcomeOf({ answer, ms }: Awaited<ReturnType<typeof timedCall>>, call: number): Outcome {
  if (answer.kind === 'failed') return { answer, maker: undefined, isTaken: false };
  const { maker, ...shared } = answer.shared ?? { version: call, ms };
  return { answer: { ...answer, shared }, maker, isTaken: false };
}

const versionOf = ({ answer }: Outcome): number | undefined =>
  answer.kind === 'answered' ? answer.shared?.version : undefined;

/** The answer for one more row: as its own call for the row that made it, and as a shared one for all others. */
async function take(
  outcome: Outcome,
  { room, signal, origin, cookies }: CallContext,
): Promise<UpstreamAnswer> {
  const { answer, maker } = outcome;
  if (outcome.cookies !== undefined) cookies?.addFrom(outcome.cookies);
  const isMaker = !outcome.isTaken && (maker === undefined || maker === callerOf(origin));
  if (isMaker) outcome.isTaken = true;
  if (answer.kind === 'failed') return answer;
  if (answer.body.byteLength > largeBodyBytes) await room?.(signal);
  return isMaker ? answer : asShared(answer);
}

const asShared = (answer: Answered): Answered => ({ ...answer, by: 'share' });

/** Rejects with `CallPostponed` in a pause. */
const untilPaused = (pause: AbortSignal, ended: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const postpone = (): void => reject(new CallPostponed());
    if (pause.aborted) return postpone();
    pause.addEventListener('abort', postpone, { once: true, signal: ended });
  });
