// One call of the API log: when the call ends, only the necessary facts are taken down. The view for the user is made
// when a client asks for it. Keys are masked before, since the values to mask are not kept.
import type { CallContent, LoggedBody, LoggedCall } from '../domain/api-log/logged-call.ts';
import type { Entry } from '../services/call-log.ts';
import type { AnsweredHeaders, SentHeaders } from './noted-headers.ts';

type Told = Omit<
  LoggedCall,
  'number' | 'keyPlace' | 'client' | 'firstByteMs' | 'ms' | 'answerBytes' | Absent
>;
/** Fields that only some calls have. */
type Absent = 'workflowId' | 'runId' | 'key' | 'runStatus' | 'refusal' | 'replayOf' | 'isCut';

/** The record of a call in the API log. Keys are masked. */
export type CallRecord = Told & { readonly [Part in Absent]: LoggedCall[Part] | undefined } & {
  /** In hundredths of a millisecond. */
  readonly firstByteIn: number;
  readonly endedIn: number;
  readonly came: Omit<SentHeaders, 'values'>;
  readonly answered: AnsweredHeaders;
  readonly sent: LoggedBody;
  /** The text alone: all of it, unchanged. */
  readonly answer: LoggedBody | string;
};

/** Estimated bytes of a call's facts, without its texts and headers. */
const factBytes = 600;

export class NotedCall implements Entry {
  readonly #record: CallRecord;
  #call: LoggedCall | undefined;

  constructor(record: CallRecord) {
    this.#record = record;
  }

  get bytes(): number {
    const { path, refusal, came, answered, sent, answer } = this.#record;
    const answerLength = typeof answer === 'string' ? answer.length : answer.text.length;
    const texts = path.length + (refusal?.message.length ?? 0) + sent.text.length + answerLength;
    return factBytes + 2 * texts + came.bytes + answered.bytes;
  }

  call(number: number): LoggedCall {
    return (this.#call ??= tell(number, this.#record));
  }

  content(): CallContent {
    const { came, answered, sent, answer } = this.#record;
    return { requestHeaders: came.headers, answerHeaders: answered.headers, sent, answer: bodyOf(answer) };
  }
}

const bodyOf = (body: LoggedBody | string): LoggedBody =>
  typeof body === 'string' ? { text: body, bytes: Buffer.byteLength(body), isWhole: true } : body;

function tell(number: number, record: CallRecord): LoggedCall {
  const { came, key, workflowId, runId, runStatus, isCut, refusal, replayOf } = record;
  return {
    number,
    at: record.at,
    method: record.method,
    path: record.path,
    route: record.route,
    ...(workflowId === undefined ? {} : { workflowId }),
    ...(runId === undefined ? {} : { runId }),
    ...(runStatus === undefined ? {} : { runStatus }),
    ...(key === undefined ? {} : { key: { id: key.id, name: key.name, last4: key.last4 } }),
    keyPlace: came.keyPlace,
    status: record.status,
    ...(isCut === undefined ? {} : { isCut }),
    ...(refusal === undefined ? {} : { refusal }),
    charged: record.charged,
    firstByteMs: record.firstByteIn / 100,
    ms: record.endedIn / 100,
    sentBytes: record.sentBytes,
    answerBytes: bodyOf(record.answer).bytes,
    client: came.client,
    ...(replayOf === undefined ? {} : { replayOf }),
  };
}
