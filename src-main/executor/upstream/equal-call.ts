// Parts of calls that rows share, in memory and in the store. Who calls: share-equal-calls.ts and store-equal-calls.ts, and
// previews, which tell calls apart as a run does.
import { createHash } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { newline } from '../../domain/rows/line-bytes.ts';
import { requestKey } from '../../domain/upstream/request-key.ts';
import { matchesStatus } from '../../domain/upstream/status-class.ts';
import type {
  CallContext,
  CallOrigin,
  SharedAnswer,
  Upstream,
  UpstreamAnswer,
  UpstreamRequest,
} from '../ports.ts';

export type Answered = Extract<UpstreamAnswer, { kind: 'answered' }>;

/** True for an answer that the run's rows get from now on: no failure, or one that the node expects. */
export const isSharedAnswer = (
  answer: UpstreamAnswer,
  { expect = [] }: Pick<UpstreamRequest, 'expect'>,
): answer is Answered =>
  answer.kind === 'answered' && (answer.status < 400 || matchesStatus(expect, answer.status));

/** Name of a call in its idempotency key: 128 bits of a SHA-256. */
export const hashText = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 32);

/** The same for equal calls: calls of a session are equal if they also send the same cookies. */
export function hashOfCall(request: UpstreamRequest, { cookies }: Pick<CallContext, 'cookies'>): string {
  const hasSession = cookies !== undefined && URL.canParse(request.url);
  return hashText(requestKey(request) + (hasSession ? ` ${cookies.headerFor(new URL(request.url))}` : ''));
}

/** The row and site that make a call, as a text. */
export const callerOf = ({ row, site }: Pick<CallOrigin, 'row' | 'site'>): string => `${row} ${site}`;

/** Makes a call. Resolves to its answer, and to its duration without a wait for its rate limit, in whole ms. */
export async function timedCall(
  { inner, clock }: { readonly inner: Upstream; readonly clock: Clock },
  request: UpstreamRequest,
  around: CallContext,
): Promise<{ readonly answer: UpstreamAnswer; readonly ms: number }> {
  let startedAt = clock.monotonic();
  const onBegin = (): void => {
    startedAt = clock.monotonic();
    around.onBegin?.();
  };
  const answer = await inner.call(request, { ...around, onBegin });
  return { answer, ms: Math.round(clock.monotonic() - startedAt) };
}

/** Head of a stored answer, a line of JSON; the body follows on it. */
type StoredHead = Pick<Answered, 'status' | 'headers' | 'url' | 'retryAfterMs'> & {
  readonly ms: number;
  readonly maker: string;
};

/** An answer as bytes for the store. */
export function encodeSharedAnswer(
  { status, headers, url, retryAfterMs, body }: Answered,
  { ms, maker }: Pick<StoredHead, 'ms' | 'maker'>,
): Uint8Array {
  const head: StoredHead = {
    status,
    headers,
    ms,
    maker,
    ...(url === undefined ? {} : { url }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), body]);
}

/** The answer that `encodeSharedAnswer` made bytes of. The store has compared them with their checksum. */
export function decodeSharedAnswer({ version, bytes }: SharedAnswer): Answered {
  const end = bytes.indexOf(newline);
  const { ms, maker, ...head } = JSON.parse(Buffer.from(bytes.subarray(0, end)).toString()) as StoredHead;
  return { kind: 'answered', ...head, body: bytes.subarray(end + 1), shared: { version, ms, maker } };
}
