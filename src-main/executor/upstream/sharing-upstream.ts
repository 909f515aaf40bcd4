// Makes equal calls of one run once: the first makes the call, the others wait for its answer and take it too.
// Who calls: FillingUpstream. A row that asks again gets the next answer: a poll each of its answers in their order, and a
// retry of an unusable answer a new call. A failure is no answer: all who wait get it, and their retries are one call.
import { LruMap } from '../../base/lru-map.ts';
import { untilAborted } from '../../base/sleep.ts';
import { matchesStatus } from '../../domain/upstream/status-class.ts';
import type { CallContext, CallOrigin, Upstream, UpstreamAnswer, UpstreamRequest } from '../ports.ts';

/** All calls with one request. Positions count a row's attempts without its failures, from 1. */
type SharedRequest = {
  /** Row and site that asked first. A recording has all answers as theirs, by position. */
  readonly first: Pick<CallOrigin, 'row' | 'site'>;
  /** True once the service has answered, be it with a failure: a recording has such answers. */
  isAnswered: boolean;
  /** Answers that are no failures, by position. */
  readonly answers: Map<number, UpstreamAnswer>;
  /** Calls in progress. Each resolves to undefined if the row that made it no longer waits. */
  readonly calls: Map<string, Promise<UpstreamAnswer | undefined>>;
};

/** Rows whose failures are counted. A row beyond them may repeat a call. */
const maxFailingRows = 100_000;

export class SharingUpstream implements Upstream {
  readonly #inner: Upstream;
  readonly #keyOf: (request: UpstreamRequest) => string;
  readonly #requests = new Map<string, SharedRequest>();
  /** Failures that a row got at a site, since its first attempt there. */
  readonly #failures = new LruMap<string, number>({ maxEntries: maxFailingRows });

  /** @param keyOf the same text for requests that are equal */
  constructor(inner: Upstream, keyOf: (request: UpstreamRequest) => string) {
    this.#inner = inner;
    this.#keyOf = keyOf;
  }

  async call(request: UpstreamRequest, around: CallContext): Promise<UpstreamAnswer> {
    const { row, site, attempt } = around.origin;
    const asker = `${row} ${site}`;
    if (attempt === 1) this.#failures.delete(asker);
    const failures = this.#failures.get(asker) ?? 0;
    const answer = await this.#callAt(attempt - failures, request, around);
    if (isFailure(answer, request)) this.#failures.set(asker, failures + 1);
    return answer;
  }

  async #callAt(position: number, request: UpstreamRequest, around: CallContext): Promise<UpstreamAnswer> {
    const { origin, signal } = around;
    const shared = this.#sharedRequest(request, origin);
    // Calls with another time limit may end at another time.
    const callKey = `${position} ${request.timeoutMs}`;
    for (;;) {
      signal.throwIfAborted();
      const answer = answerFrom(shared, position);
      if (answer !== undefined) return asShared(answer);
      const call = shared.calls.get(callKey);
      if (call === undefined) break;
      const waitedFor = await untilAborted(call, signal);
      if (waitedFor !== undefined) return asShared(waitedFor);
    }
    const call = this.#make(shared, request, { ...around, origin: { ...shared.first, attempt: position } });
    const forOthers = call.catch((error: unknown) => {
      if (signal.aborted) return undefined;
      throw error;
    });
    // If no other waits, only this caller handles a rejection.
    forOthers.catch(() => undefined);
    shared.calls.set(callKey, forOthers);
    return call.finally(() => shared.calls.delete(callKey));
  }

  #sharedRequest(request: UpstreamRequest, { row, site }: CallOrigin): SharedRequest {
    const key = this.#keyOf(request);
    const known = this.#requests.get(key);
    if (known !== undefined) return known;
    const made = { first: { row, site }, isAnswered: false, answers: new Map(), calls: new Map() };
    this.#requests.set(key, made);
    return made;
  }

  async #make(shared: SharedRequest, request: UpstreamRequest, around: CallContext): Promise<UpstreamAnswer> {
    const answer = await this.#inner.call(request, around);
    if (answer.kind === 'answered') shared.isAnswered = true;
    // Memory must not grow with the calls of an outage.
    else if (!shared.isAnswered) this.#requests.delete(this.#keyOf(request));
    if (!isFailure(answer, request)) shared.answers.set(around.origin.attempt, answer);
    return answer;
  }
}

/** The answer at the position, or at the next one that has an answer. */
function answerFrom({ answers }: SharedRequest, position: number): UpstreamAnswer | undefined {
  const later = [...answers.keys()].filter((each) => each >= position);
  return answers.get(position) ?? answers.get(Math.min(...later));
}

const isFailure = (answer: UpstreamAnswer, { expect = [] }: UpstreamRequest): boolean =>
  answer.kind === 'failed' || (answer.status >= 400 && !matchesStatus(expect, answer.status));

/** The answer as a row gets it that did not make the call. */
const asShared = (answer: UpstreamAnswer): UpstreamAnswer =>
  answer.kind === 'failed' ? answer : { ...answer, by: 'cassette' };
