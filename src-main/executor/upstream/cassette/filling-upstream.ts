// Answers calls from a cassette where it has them; the services answer the others, and those answers are recorded.
import type { Cassette } from '../../../domain/cassette/cassette.ts';
import { ResponseFinder } from '../../../domain/cassette/find-response.ts';
import { recordRequest } from '../../../domain/cassette/match-request.ts';
import type { CallContext, Upstream, UpstreamAnswer, UpstreamRequest } from '../../ports.ts';
import { fromRecorded } from './recorded-answer.ts';

export class FillingUpstream implements Upstream {
  readonly #finder: ResponseFinder;
  readonly #matchHeaders: readonly string[];
  readonly #record: () => Promise<Upstream>;
  /** Opened by the first call that is not recorded, so that a cassette that has all answers is not written. */
  #recording: Promise<Upstream> | undefined;

  /** @param record opens an upstream that calls services and records their answers */
  constructor(cassette: Cassette, record: () => Promise<Upstream>) {
    this.#finder = ResponseFinder.for(cassette);
    this.#matchHeaders = cassette.matchHeaders;
    this.#record = record;
  }

  /** Rejects when an answer cannot be recorded. */
  async call(request: UpstreamRequest, around: CallContext): Promise<UpstreamAnswer> {
    around.signal.throwIfAborted();
    const recorded = this.#finder.find(recordRequest(request, this.#matchHeaders), around.origin);
    if (recorded !== undefined) return fromRecorded(recorded);
    this.#recording ??= this.#record();
    return (await this.#recording).call(request, around);
  }

  async close(): Promise<void> {
    const recording = await this.#recording?.catch(() => undefined);
    await recording?.close?.();
  }
}
