// Answers the calls of a preview. Only a call that the user requested reaches the network.
// Who calls: the execution of a preview, through `Upstream`; PreviewService reads what happened.
import { AppError } from '../base/app-error.ts';
import { LruMap } from '../base/lru-map.ts';
import type { Cassette } from '../domain/cassette/cassette.ts';
import { matchText, recordRequest } from '../domain/cassette/match-request.ts';
import { secretOf } from '../domain/nodes/call-auth.ts';
import type { PreviewedCall, PreviewSource } from '../domain/run/preview.ts';
import { shownUrl } from '../domain/upstream/shown-url.ts';
import { ReplayingUpstream } from '../executor/upstream/cassette/replaying-upstream.ts';
import type {
  CallContext,
  CallOrigin,
  Upstream,
  UpstreamAnswer,
  UpstreamRequest,
} from '../executor/ports.ts';

/** A call that a user asked for, with the service's answer; secrets in it are masked. */
export type CalledAnswer = {
  readonly request: UpstreamRequest;
  readonly origin: CallOrigin;
  readonly answer: Extract<UpstreamAnswer, { kind: 'answered' }>;
};

/** Answers of services to calls that a user asked for, by the request: an equal one gets the same answer. */
type CalledAnswers = LruMap<string, CalledAnswer>;

const maxAnswers = 200;
const maxAnswerBytes = 8_000_000;

export const createCalledAnswers = (): CalledAnswers =>
  new LruMap({
    maxEntries: maxAnswers,
    maxSize: maxAnswerBytes,
    sizeOf: ({ answer }) => answer.body.byteLength,
  });

type PreviewCallsDeps = {
  readonly answers: CalledAnswers;
  /** Reads the cassette; undefined if there is none. Undefined: the preview uses none. */
  readonly readCassette: (() => Promise<Cassette | undefined>) | undefined;
  /** The node and row whose call is made, once. */
  readonly once: { readonly row: number; readonly nodeId: string; readonly upstream: Upstream } | undefined;
};

export class PreviewCalls implements Upstream {
  readonly #deps: PreviewCallsDeps;
  readonly #sources = new Map<string, PreviewSource>();
  readonly #notCalled = new Map<string, PreviewedCall>();
  readonly #called = new Map<string, readonly CalledAnswer[]>();
  /** Calls that the cassette has no answer to. */
  readonly #missed = new WeakSet<CallOrigin>();
  #replay: Promise<Upstream | undefined> | undefined;
  #once: UpstreamAnswer | 'open' | undefined;

  constructor(deps: PreviewCallsDeps) {
    this.#deps = deps;
  }

  /** The answer to the one call that was made; undefined before it has ended. */
  get onceAnswer(): UpstreamAnswer | undefined {
    return this.#once === 'open' ? undefined : this.#once;
  }

  /** Source of the answers to the node's calls for the row; undefined if it made none. */
  sourceOf(row: number, nodeId: string): PreviewSource | undefined {
    return this.#sources.get(keyOf(row, nodeId));
  }

  /** The node's calls for the row that services answered, at the request of a user. */
  calledAnswers(row: number, nodeId: string): readonly CalledAnswer[] {
    return this.#called.get(keyOf(row, nodeId)) ?? [];
  }

  /** First call of the node for the row that nothing answered. */
  notCalled(row: number, nodeId: string): PreviewedCall | undefined {
    return this.#notCalled.get(keyOf(row, nodeId));
  }

  async call(request: UpstreamRequest, context: CallContext): Promise<UpstreamAnswer> {
    const { row, site } = context.origin;
    const nodeId = nodeOfSite(site);
    const key = keyOf(row, nodeId);
    const real = await this.#callOnce(request, context, nodeId);
    const known = this.#deps.answers.get(requestKey(request));
    if (real !== undefined || known !== undefined) this.#sources.set(key, 'called');
    if (known !== undefined) this.#called.set(key, [...this.calledAnswers(row, nodeId), known]);
    const called = real ?? known?.answer;
    if (called !== undefined) return called;
    const recorded = await this.#recordedAnswer(request, context);
    if (recorded !== undefined) {
      if (!this.#sources.has(key)) this.#sources.set(key, 'recorded');
      return recorded;
    }
    if (!this.#notCalled.has(key)) this.#notCalled.set(key, describeCall(request));
    return { kind: 'failed', message: 'is not called in a preview', isFinal: true };
  }

  /** Undefined for every call but the one that the user asked for. */
  async #callOnce(
    request: UpstreamRequest,
    context: CallContext,
    nodeId: string,
  ): Promise<UpstreamAnswer | undefined> {
    const { once, answers } = this.#deps;
    const isMeant = once?.row === context.origin.row && once.nodeId === nodeId;
    if (!isMeant || this.#once !== undefined) return undefined;
    this.#once = 'open';
    const answer = await once.upstream.call(request, context);
    this.#once = answer;
    const { origin } = context;
    if (answer.kind === 'answered') answers.set(requestKey(request), { request, origin, answer });
    return answer;
  }

  /** Undefined if the cassette has none. A cassette that cannot be read fails the node that needs it. */
  async #recordedAnswer(request: UpstreamRequest, context: CallContext): Promise<UpstreamAnswer | undefined> {
    try {
      const replay = await (this.#replay ??= this.#openReplay());
      const answer = await replay?.call(request, context);
      return this.#missed.has(context.origin) ? undefined : answer;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'invalid_input') throw error;
      return { kind: 'failed', message: error.message, isFinal: true };
    }
  }

  async #openReplay(): Promise<Upstream | undefined> {
    const cassette = await this.#deps.readCassette?.();
    const onMiss = (_: string, origin: CallOrigin): void => void this.#missed.add(origin);
    return cassette === undefined ? undefined : new ReplayingUpstream(cassette, '', onMiss);
  }
}

const keyOf = (row: number, nodeId: string): string => `${row} ${nodeId}`;

/** Calls of a called workflow belong to the node that calls it, and those for items to their node. */
const nodeOfSite = (site: string): string => site.split('/')[0] ?? '';

export const requestKey = (request: UpstreamRequest): string => {
  const names = request.headers.map(([name]) => name);
  return JSON.stringify([matchText(recordRequest(request, names), names), request.auth ?? null]);
};

const describeCall = ({ method, url, auth }: UpstreamRequest): PreviewedCall => ({
  method,
  url: shownUrl(url),
  host: URL.canParse(url) ? new URL(url).host : '',
  secrets: auth === undefined ? [] : [secretOf(auth)],
});
