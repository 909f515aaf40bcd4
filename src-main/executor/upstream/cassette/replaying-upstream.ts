// Answers calls from a cassette. It never uses a network.
import type { Cassette } from '../../../domain/cassette/cassette.ts';
import { ResponseFinder } from '../../../domain/cassette/find-response.ts';
import { recordRequest, shownRequest } from '../../../domain/cassette/match-request.ts';
import type { CallContext, OnUnanswered, Upstream, UpstreamAnswer, UpstreamRequest } from '../../ports.ts';
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
