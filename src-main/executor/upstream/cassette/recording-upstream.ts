// Calls live services and records their answers. A row gets the answer as a replay will play it, so that a recorded run
// and its replay are the same. Calls without an answer are not recorded: every replay would repeat the outage. The answer
// of a later retry is recorded instead.
import { isoTime, type Clock } from '../../../base/clock.ts';
import { recordRequest } from '../../../domain/cassette/match-request.ts';
import type {
  CallContext,
  CassetteRecorder,
  Upstream,
  UpstreamAnswer,
  UpstreamRequest,
} from '../../ports.ts';
import { asPlayed, toRecorded } from './recorded-answer.ts';

type RecordingDeps = {
  readonly live: Upstream;
  readonly recorder: CassetteRecorder;
  readonly runId: string;
  readonly clock: Clock;
};

export class RecordingUpstream implements Upstream {
  readonly #deps: RecordingDeps;

  constructor(deps: RecordingDeps) {
    this.#deps = deps;
  }

  /** Rejects when the answer cannot be recorded: a gap in the cassette would fail a replay, far from its cause. */
  async call(request: UpstreamRequest, around: CallContext): Promise<UpstreamAnswer> {
    const { live, recorder, runId, clock } = this.#deps;
    const { row, site, attempt } = around.origin;
    const answer = await live.call(request, around);
    if (answer.kind === 'failed') return answer;
    const played = asPlayed(answer, recorder.keepHeaders);
    await recorder.add({
      runId,
      row,
      site,
      attempt,
      at: isoTime(clock),
      request: recordRequest(request, recorder.matchHeaders),
      response: toRecorded(played),
    });
    return played;
  }

  differingRequests(): number {
    return this.#deps.recorder.differingRequests?.() ?? 0;
  }

  async close(): Promise<void> {
    const { live, recorder } = this.#deps;
    try {
      await live.close?.();
    } finally {
      await recorder.close();
    }
  }
}
