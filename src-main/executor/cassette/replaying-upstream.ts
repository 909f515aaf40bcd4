// Answers from a cassette alone: nothing here can reach a network.
import type { Cassette } from '../../domain/cassette/cassette.ts';
import { ResponseFinder } from '../../domain/cassette/find-response.ts';
import { recordRequest, shownRequest } from '../../domain/cassette/match-request.ts';
import type { CallContext, Upstream, UpstreamAnswer, UpstreamRequest } from '../ports.ts';
import { fromRecorded } from './recorded-answer.ts';

export class ReplayingUpstream implements Upstream {
  readonly #finder: ResponseFinder;
  readonly #matchHeaders: readonly string[];
  readonly #label: string;

  /** @param label what a person calls the cassette */
  constructor(cassette: Cassette, label: string) {
    this.#finder = new ResponseFinder(cassette);
    this.#matchHeaders = cassette.matchHeaders;
    this.#label = label;
  }

  async call(made: UpstreamRequest, { place, signal }: CallContext): Promise<UpstreamAnswer> {
    signal.throwIfAborted();
    const request = recordRequest(made, this.#matchHeaders);
    const response = this.#finder.find(request, place);
    if (response !== undefined) return fromRecorded(response);
    const message = `no recorded answer to ${shownRequest(made)} in ${this.#label}: ${this.#finder.describeMiss(request)}`;
    return { kind: 'failed', message };
  }
}
