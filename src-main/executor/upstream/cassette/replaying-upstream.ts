// Answers calls from a cassette. It never uses a network.
import type { Cassette } from '../../../domain/cassette/cassette.ts';
import { ResponseFinder } from '../../../domain/cassette/find-response.ts';
import { recordRequest, shownRequest } from '../../../domain/cassette/match-request.ts';
import { requestKey } from '../../../domain/upstream/request-key.ts';
import type { CallContext, OnUnanswered, Upstream, UpstreamAnswer, UpstreamRequest } from '../../ports.ts';
import { callerOf, hashText } from '../equal-call.ts';
import { SharingUpstream } from '../sharing-upstream.ts';
import { fromRecorded } from './recorded-answer.ts';

export class ReplayingUpstream implements Upstream {
  readonly #finder: ResponseFinder;
  readonly #matchHeaders: readonly string[];
  readonly #label: string;

  readonly #onMiss: OnUnanswered;

  /** @param label name of the cassette in messages */
  constructor(cassette: Cassette, label: string, onMiss: OnUnanswered = () => undefined) {
    this.#finder = ResponseFinder.for(cassette);
    this.#matchHeaders = cassette.matchHeaders;
    this.#label = label;
    this.#onMiss = onMiss;
  }

  async call(made: UpstreamRequest, { origin, signal }: CallContext): Promise<UpstreamAnswer> {
    signal.throwIfAborted();
    const request = recordRequest(made, this.#matchHeaders);
    const response = this.#finder.find(request, origin);
    if (response !== undefined) return fromRecorded(response);
    const message = `no recorded answer to ${shownRequest(made)} in ${this.#label}: ${this.#finder.describeMiss(request)}`;
    this.#onMiss(message, origin);
    return { kind: 'failed', message, isFinal: true };
  }
}

/**
 * Answers calls from a cassette where it has them; the services answer the others, and those answers are recorded. Equal
 * requests of the run are made once, so that a service is asked once per request in the first run too.
 */
export class FillingUpstream implements Upstream {
  readonly #finder: ResponseFinder;
  readonly #matchHeaders: readonly string[];
  /** Makes calls, and records their answers. */
  readonly #recorded: Upstream;
  /** Makes the calls that are not recorded. */
  readonly #shared: SharingUpstream;
  /** Opened by the first call that is not recorded, so that a cassette that has all answers is not written. */
  #recording: Promise<Upstream> | undefined;

  /** @param record opens an upstream that calls services and records their answers */
  constructor(cassette: Cassette, runId: string, record: () => Promise<Upstream>) {
    const { matchHeaders } = cassette;
    this.#finder = ResponseFinder.for(cassette);
    this.#matchHeaders = matchHeaders;
    const recorded: Upstream = {
      call: async (request, around) => {
        const recording = await (this.#recording ??= record());
        return request.isShared
          ? recording.call(request, around)
          : callAsShared(recording, request, { ...around, idempotencyKey: keyOfRun(runId, request, around) });
      },
    };
    this.#shared = new SharingUpstream(recorded, callKey);
    this.#recorded = recorded;
  }

  /** Rejects when an answer cannot be recorded. */
  async call(request: UpstreamRequest, around: CallContext): Promise<UpstreamAnswer> {
    around.signal.throwIfAborted();
    // The next call of the session needs the cookies, which are in no recording.
    if (around.cookies !== undefined) return this.#recorded.call(request, around);
    const recorded = this.#finder.find(recordRequest(request, this.#matchHeaders), around.origin);
    return recorded === undefined ? this.#shared.call(request, around) : fromRecorded(recorded);
  }

  async close(): Promise<void> {
    const recording = await this.#recording?.catch(() => undefined);
    await recording?.close?.();
  }
}

/** Key of a call of the run whatever row makes it: of equal calls, those of one attempt have the same answer. */
const keyOfRun = (runId: string, request: UpstreamRequest, { origin }: CallContext): string =>
  `${runId}/share/${hashText(JSON.stringify([callKey(request), origin.attempt]))}`;

/** Makes a call of a node without `share`. An answer that another row's call got counts as played. */
async function callAsShared(
  inner: Upstream,
  request: UpstreamRequest,
  around: CallContext,
): Promise<UpstreamAnswer> {
  const answer = await inner.call({ ...request, isShared: true }, around);
  if (answer.kind === 'failed') return answer;
  const { shared, ...own } = answer;
  const isOfOther = shared?.maker !== undefined && shared.maker !== callerOf(around.origin);
  return isOfOther ? { ...own, by: 'cassette' } : own;
}

/** The same text for calls that a service answers alike, and of which the same answers are failures. */
const callKey = (request: UpstreamRequest): string =>
  JSON.stringify([requestKey(request), request.expect ?? []]);
