// The one call of a preview that a user asked for, with the attempts of its node's `retry`. Who calls: PreviewCalls.
// INVARIANT: only one request of the node for the row is made, and again only for further attempts at it: the first one
// without an answer, or with `isAgain` the first one that a user has called for before.
import type { Clock } from '../../base/clock.ts';
import { sleep } from '../../base/sleep.ts';
import { longestWaitMs } from '../../domain/duration.ts';
import type { CallAttempt } from '../../domain/run/preview.ts';
import type { Retry } from '../../domain/workflow/workflow.ts';
import { requestKey } from '../../domain/upstream/request-key.ts';
import type { CallContext, Upstream, UpstreamAnswer, UpstreamRequest } from '../../executor/ports.ts';

type RequestedCallDeps = {
  readonly row: number;
  readonly nodeId: string;
  /** True: a call that a user asked for before is made again. */
  readonly isAgain: boolean;
  /** Makes calls over the network. */
  readonly upstream: Upstream;
  /** Undefined: one attempt. */
  readonly retry: Retry | undefined;
  readonly clock: Clock;
};

/** Longest pause before an attempt, in ms: a user waits for the answer. A longer one ends the attempts. */
const maxPauseMs = 10_000;

export class RequestedCall {
  readonly #deps: RequestedCallDeps;
  readonly #answers: UpstreamAnswer[] = [];
  /** Place and request of the call; undefined before the first attempt. */
  #call: string | undefined;
  #isUnderWay = false;
  #skippedPauseMs: number | undefined;

  constructor(deps: RequestedCallDeps) {
    this.#deps = deps;
  }

  /** Answer to the last attempt; undefined before the first has ended. */
  get answer(): UpstreamAnswer | undefined {
    return this.#answers.at(-1);
  }

  get attempts(): readonly CallAttempt[] {
    return this.#answers.map((answer) =>
      answer.kind === 'answered' ? { status: answer.status } : { problem: answer.message },
    );
  }

  /** Pause in ms that the next attempt would have needed; undefined: all attempts were made that `retry` allows. */
  get skippedPauseMs(): number | undefined {
    return this.#skippedPauseMs;
  }

  /**
   * Makes the next attempt, after its pause. Undefined: the request is not part of the call.
   * @param known what answers the request otherwise
   */
  async attempt(
    request: UpstreamRequest,
    context: CallContext,
    { nodeId, known }: { readonly nodeId: string; readonly known: 'called' | 'recorded' | undefined },
  ): Promise<UpstreamAnswer | undefined> {
    const { upstream, clock, isAgain } = this.#deps;
    const { row, site } = context.origin;
    const call = JSON.stringify([site, requestKey(request)]);
    const isMeant = isAgain ? known === 'called' : known === undefined;
    if (row !== this.#deps.row || nodeId !== this.#deps.nodeId || !this.#isNext(call, isMeant))
      return undefined;
    this.#call = call;
    this.#isUnderWay = true;
    try {
      const pauseMs = this.#pauseMs();
      if (pauseMs > 0) await sleep(clock, pauseMs, context.signal);
      const answer = await upstream.call(request, context);
      this.#answers.push(answer);
      return answer;
    } finally {
      this.#isUnderWay = false;
    }
  }

  #isNext(call: string, isMeant: boolean): boolean {
    if (this.#call === undefined) return isMeant;
    const { retry } = this.#deps;
    const isLast = this.#answers.length >= (retry?.attempts ?? 1);
    if (this.#call !== call || this.#isUnderWay || isLast || this.#skippedPauseMs !== undefined) return false;
    const pauseMs = this.#pauseMs();
    if (pauseMs > maxPauseMs) this.#skippedPauseMs = pauseMs;
    return pauseMs <= maxPauseMs;
  }

  /** Waits of the preview itself take no time, so that the pause of `retry` is made here. */
  #pauseMs(): number {
    const { answer } = this;
    const { retry } = this.#deps;
    if (answer === undefined || retry === undefined) return 0;
    const delayMs = Math.min(retry.delayMs * retry.backoff ** (this.#answers.length - 1), longestWaitMs);
    return Math.max(delayMs, answer.kind === 'answered' ? (answer.retryAfterMs ?? 0) : 0);
  }
}
