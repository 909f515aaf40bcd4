// Answers of services to calls that a user asked for in a preview. Equal calls of later previews get the same answer.
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { LruMap } from '../../base/lru-map.ts';
import type {
  CallContext,
  CallOrigin,
  UpstreamAnswer,
  UpstreamRequest,
  WorkflowCassette,
} from '../../executor/ports.ts';
import { RecordingUpstream } from '../../executor/upstream/cassette/recording-upstream.ts';

/** A call that a user asked for, with the service's answer; secrets in it are masked. */
export type CalledAnswer = {
  /** `hashOfCall` before the first attempt: the answer is for calls of the same session alone. */
  readonly key: string;
  readonly request: UpstreamRequest;
  readonly origin: CallOrigin;
  readonly answer: Extract<UpstreamAnswer, { kind: 'answered' }>;
  /** The session of the call, with the cookies that it has set; in memory only. */
  readonly cookies?: CallContext['cookies'];
  /** The cassette's entry for the request at the time of the call, as JSON; absent: there was none. */
  readonly recordedBefore?: string | undefined;
};

/** By their keys. */
export type CalledAnswers = LruMap<string, CalledAnswer>;

const maxAnswers = 200;
const maxAnswerBytes = 8_000_000;

export const createCalledAnswers = (): CalledAnswers =>
  new LruMap({
    maxEntries: maxAnswers,
    maxSize: maxAnswerBytes,
    sizeOf: ({ answer }) => answer.body.byteLength,
  });

/** Records answers that previews have received in the workflow's cassette, and resolves to its name. */
export const createAnswerRecorder =
  (cassetteOf: (workflowId: string) => Promise<WorkflowCassette>, clock: Clock) =>
  async (workflowId: string, answers: readonly CalledAnswer[]): Promise<string> => {
    const file = await cassetteOf(workflowId);
    // Answers of an earlier preview are replaced, as those of an earlier run are.
    const runId = `preview-${randomUUID()}`;
    const recorder = await file.record(runId);
    try {
      for (const { request, origin, answer } of answers) {
        const live = { call: () => Promise.resolve(answer) };
        const context = { origin, idempotencyKey: '', signal: new AbortController().signal };
        await new RecordingUpstream({ live, recorder, runId, clock }).call(request, context);
      }
    } finally {
      await recorder.close();
    }
    return file.label;
  };
