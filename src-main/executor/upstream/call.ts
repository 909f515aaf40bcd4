// One call from start to end: limits of time, redirects, the body, and the mask over all that comes back.
import type { Readable } from 'node:stream';
import type { CancelTimer, Clock } from '../../base/clock.ts';
import { shownUrl } from '../../domain/upstream/shown-url.ts';
import { describeDuration } from '../../domain/duration.ts';
import type { CallContext, UpstreamAnswer, UpstreamRequest } from '../ports.ts';
import type { Bounds } from './bounds.ts';
import { BufferedBody } from './buffered-body.ts';
import type { ByteBudget } from './byte-budget.ts';
import { BodyError, CallError, CallRefusal, tooLarge } from './call-error.ts';
import type { CallMask } from './secret-mask.ts';
import type { Credentials } from './credentials.ts';
import type { Decoding } from './decoding.ts';
import { firstRequest, redirected, type Outgoing } from './outgoing.ts';
import type { RawAnswer, Transport } from './transport.ts';

type MakeCallDeps = {
  readonly transport: Transport;
  readonly budget: ByteBudget;
  /** Whom the call is made for: all calls of one run have the same. */
  readonly owner: object;
  readonly decoding: Decoding;
  readonly bounds: Bounds;
  readonly userAgent: string;
  readonly clock: Clock;
  readonly credentials: Credentials | undefined;
  readonly mask: CallMask;
};

/** `idempotencyKey` is absent for a request that is not one of a row. */
export type RequestContext = Pick<CallContext, 'signal' | 'room' | 'cookies'> &
  Partial<Pick<CallContext, 'idempotencyKey'>>;

/** Makes a call. Throws a `CallError`, the error of the connection, or the reason of the context's signal. */
export async function makeCall(
  request: UpstreamRequest,
  { idempotencyKey, signal, room, cookies }: RequestContext,
  deps: MakeCallDeps,
): Promise<UpstreamAnswer> {
  const { userAgent, credentials, bounds } = deps;
  const authHeaders = credentials?.headers ?? [];
  const hasSession = cookies !== undefined;
  const first = firstRequest(request, { idempotencyKey, userAgent, authHeaders, hasSession });
  const limits = new TimeLimits(deps.clock, signal);
  try {
    const totalMs = Math.min(request.timeoutMs ?? bounds.totalMs, bounds.maxTotalMs);
    limits.start(totalMs, `timed out after ${describeDuration(totalMs)}`);
    const session = cookies === undefined ? {} : { cookies };
    const under = { ...deps, ...session, signal: limits.signal, room: async () => room?.(limits.signal) };
    const headMs = request.timeoutMs === undefined ? bounds.headMs : totalMs;
    const headLimit = limits.start(headMs, `was not answered within ${describeDuration(headMs)}`);
    const { answer, url } = await follow(first, under, request.redirect);
    headLimit();
    const finalUrl = url.href === first.url.href ? undefined : deps.mask.text(url.href);
    return await finish(answer, finalUrl, under).catch((error: unknown) => {
      throw answer.status < 400 ? error : new BodyError(answer.status, error);
    });
  } finally {
    limits.end();
  }
}

type ActiveCall = MakeCallDeps &
  Pick<CallContext, 'signal' | 'cookies'> & { readonly room: () => Promise<void> };

/** Sends the request, and where it is redirected to. */
async function follow(
  first: Outgoing,
  call: ActiveCall,
  redirect: UpstreamRequest['redirect'],
): Promise<{ readonly answer: RawAnswer; readonly url: URL }> {
  const { bounds, mask } = call;
  const seen = new Set<string>();
  let { credentials } = call;
  let request = first;
  for (;;) {
    const answer = await send(request, credentials, call);
    const location = redirectStatuses.has(answer.status) ? answer.headers.get('location') : undefined;
    if (location === undefined || bounds.redirects === 0 || redirect === 'answer')
      return { answer, url: request.url };
    await answer.discard();
    seen.add(`${request.method} ${request.url.href}`);
    request = redirected(request, { status: answer.status, location });
    if (seen.has(`${request.method} ${request.url.href}`)) throw new CallError('was redirected in a loop');
    if (seen.size > bounds.redirects)
      throw new CallError(`was redirected more than ${bounds.redirects} times`);
    if (request.url.origin === first.url.origin) continue;
    credentials = undefined;
    if (mask.text(request.url.href) !== request.url.href)
      throw new CallRefusal('was redirected to another host with the secret in the URL, which is refused');
  }
}

/** Sends a request with its credentials, and once more with new ones if the service refuses them. */
async function send(
  request: Outgoing,
  credentials: Credentials | undefined,
  { transport, signal, cookies }: ActiveCall,
): Promise<RawAnswer> {
  const attempt = async (): Promise<RawAnswer> => {
    const authorized = (await credentials?.authorize(request, signal)) ?? request;
    const cookie = cookies?.headerFor(request.url) ?? '';
    const sent =
      cookie === ''
        ? authorized
        : { ...authorized, headers: [...authorized.headers, ['cookie', cookie] as const] };
    const answer = await transport.send(sent, signal);
    cookies?.add(request.url, answer.setCookies);
    return answer;
  };
  const answer = await attempt();
  if (answer.status !== 401 || credentials?.renew === undefined) return answer;
  await answer.discard();
  credentials.renew();
  return attempt();
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

async function finish(answer: RawAnswer, url: string | undefined, call: ActiveCall): Promise<UpstreamAnswer> {
  const { bounds, budget, owner, decoding, clock, mask, signal, room, cookies } = call;
  const encoding = answer.headers.get('content-encoding');
  const length = answer.headers.get('content-length');
  const body = await readAnswerBody(
    { stream: answer.body, encoding, length },
    { budget, owner, decoding, maxBytes: bounds.bodyBytes, signal, room },
  );
  const headers = [...answer.headers].filter(
    ([name]) =>
      (encoding === undefined || !ofEncoding.has(name)) && (cookies === undefined || name !== 'set-cookie'),
  );
  const retryAfterMs = retryAfter(answer.headers.get('retry-after'), clock.now(), bounds.retryAfterMs);
  return {
    kind: 'answered',
    status: answer.status,
    headers: headers.map(([name, value]) => [mask.header(name), mask.header(value)]),
    body: mask.bytes(body),
    ...(url === undefined ? {} : { url }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

/** They speak of the body as it was sent. */
const ofEncoding: ReadonlySet<string> = new Set(['content-encoding', 'content-length']);

/** Ends a call when its caller aborts it, or a time limit is reached. */
class TimeLimits {
  readonly #clock: Clock;
  readonly #outer: AbortSignal;
  readonly #controller = new AbortController();
  readonly #timers: CancelTimer[] = [];
  readonly #abort = (): void => this.#controller.abort(this.#outer.reason);

  constructor(clock: Clock, outer: AbortSignal) {
    this.#clock = clock;
    this.#outer = outer;
    if (outer.aborted) this.#abort();
    outer.addEventListener('abort', this.#abort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  start(ms: number, words: string): CancelTimer {
    const cancel = this.#clock.setTimer(ms, () => this.#controller.abort(new CallError(words)));
    this.#timers.push(cancel);
    return cancel;
  }

  end(): void {
    this.#timers.forEach((cancel) => cancel());
    this.#outer.removeEventListener('abort', this.#abort);
  }
}

/** The beginning of every message about a call. */
export const nameOf = ({ method, url }: UpstreamRequest): string => `${method} ${shownUrl(url)}`;

/**
 * The wait that a `Retry-After` header asks for, in ms from `now`, `maxMs` at most. Undefined without a header, and for
 * zero, a date that has passed or any other text.
 */
export function retryAfter(value: string | undefined, now: number, maxMs: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : httpDate.test(text) ? Date.parse(text) - now : NaN;
  return ms > 0 ? Math.min(ms, maxMs) : undefined;
}

/** HTTP dates, whose three forms begin with the name of the day; `Date.parse` alone would accept `-1`. */
const httpDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /;

/** Reads the body of an answer within its limits, no faster than there is room for it. */
type BodyReading = {
  readonly budget: ByteBudget;
  /** The run, as the owner of its share of the budget. */
  readonly owner: object;
  readonly decoding: Decoding;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** Resolves when there is room to join a large body. */
  readonly room: () => Promise<void>;
};

type EncodedBody = {
  readonly stream: Readable;
  /** Value of the `Content-Encoding` header. */
  readonly encoding: string | undefined;
  readonly length: string | undefined;
};

/** Reads the whole body. Throws a `CallError`, the error of the stream, or the signal's reason. */
async function readAnswerBody(body: EncodedBody, reading: BodyReading): Promise<Uint8Array> {
  const { stream, encoding, length } = body;
  const { budget, owner, decoding, maxBytes, signal, room } = reading;
  const buffered = new BufferedBody(budget, { owner, abort: () => stream.destroy(new CallError(tooSlow)) });
  try {
    const decode = decoding.decoderFor(encoding);
    if (Number(length) > maxBytes) throw tooLarge(maxBytes);
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (buffered.size + chunk.length > maxBytes) throw tooLarge(maxBytes);
      await buffered.append(chunk, signal);
    }
    buffered.end();
    return await decode(buffered, { maxBytes, signal, room });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    stream.destroy();
    buffered.release();
  }
}

const tooSlow = 'was answered too slowly: its body stood still while other answers waited for room';
