// Answers the calls of a preview. Only a call that the user requested reaches the network.
// Who calls: the execution of a preview, through `Upstream`; PreviewService reads what happened.
import { AppError } from '../../base/app-error.ts';
import type { Cassette } from '../../domain/cassette/cassette.ts';
import { ResponseFinder } from '../../domain/cassette/find-response.ts';
import { recordRequest } from '../../domain/cassette/match-request.ts';
import { secretOf } from '../../domain/nodes/call-auth.ts';
import type { PreviewedCall, PreviewSource } from '../../domain/run/preview.ts';
import { shownUrl } from '../../domain/upstream/shown-url.ts';
import { requestKey } from '../../domain/upstream/request-key.ts';
import { callerOf, hashOfCall, hashText } from '../../executor/upstream/equal-call.ts';
import { ReplayingUpstream } from '../../executor/upstream/cassette/replaying-upstream.ts';
import type {
  CallContext,
  CallOrigin,
  Upstream,
  UpstreamAnswer,
  UpstreamRequest,
} from '../../executor/ports.ts';
import type { RequestedCall } from './requested-call.ts';
import { type CalledAnswer, type CalledAnswers } from './called-answers.ts';

type PreviewCallsDeps = {
  readonly answers: CalledAnswers;
  /** Reads the cassette; undefined if there is none. */
  readonly readCassette: () => Promise<Cassette | undefined>;
  /** False: nothing is answered from the cassette. */
  readonly usesCassette: boolean;
  /** The call that the user asks for with this preview; undefined: none. */
  readonly requested: RequestedCall | undefined;
  /** Maximum attempts of a node at one call. */
  readonly maxAttempts: (nodeId: string) => number;
};

export class PreviewCalls implements Upstream {
  readonly #deps: PreviewCallsDeps;
  readonly #sources = new Map<string, PreviewSource>();
  readonly #notCalled = new Map<string, PreviewedCall>();
  readonly #called = new Map<string, readonly CalledAnswer[]>();
  /** Keys of answers, by the row, site and request of the call: a further attempt may send cookies that the first one got. */
  readonly #keys = new Map<string, string>();
  /** Calls that the cassette has no answer to. */
  readonly #missed = new WeakSet<CallOrigin>();
  #cassette: Promise<Cassette | undefined> | undefined;

  constructor(deps: PreviewCallsDeps) {
    this.#deps = deps;
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

  /** First call of the node for the row that a service answered, at the request of a user. */
  called(row: number, nodeId: string): PreviewedCall | undefined {
    const [first] = this.calledAnswers(row, nodeId);
    return first && this.#describe(first.request, nodeId);
  }

  async call(request: UpstreamRequest, context: CallContext): Promise<UpstreamAnswer> {
    const nodeId = nodeOfSite(context.origin.site);
    const key = keyOf(context.origin.row, nodeId);
    const called = await this.#calledAnswer(request, context);
    const recorded = called === undefined ? await this.#recordedAnswer(request, context) : undefined;
    const known = called === undefined ? recorded && ('recorded' as const) : ('called' as const);
    const requested = await this.#requestedAnswer(request, context, { nodeId, known });
    if (requested !== undefined) {
      this.#sources.set(key, 'called');
      return requested;
    }
    if (called !== undefined) {
      this.#sources.set(key, 'called');
      // The next call of the session needs them.
      if (called.cookies !== undefined) context.cookies?.addFrom(called.cookies);
      this.#keepCalled(called);
      return called.answer;
    }
    if (recorded !== undefined) {
      if (!this.#sources.has(key)) this.#sources.set(key, 'recorded');
      return recorded;
    }
    if (!this.#notCalled.has(key)) this.#notCalled.set(key, this.#describe(request, nodeId));
    return { kind: 'failed', message: 'is not called in a preview', isFinal: true };
  }

  /** Undefined: the user did not ask for the call now. Its cookies go to the session, and to later previews with its answer. */
  async #requestedAnswer(
    request: UpstreamRequest,
    context: CallContext,
    known: { readonly nodeId: string; readonly known: 'called' | 'recorded' | undefined },
  ): Promise<UpstreamAnswer | undefined> {
    const cookies = context.cookies?.copy();
    const around = { ...context, ...(cookies === undefined ? {} : { cookies }) };
    const answer = await this.#deps.requested?.attempt(request, around, known);
    if (answer === undefined) return undefined;
    if (cookies !== undefined) context.cookies?.addFrom(cookies);
    await this.#keepRequested(answer, request, around);
    return answer;
  }

  /** Keeps the answer to the call that the user asked for. Without an answer, an older one is dropped. */
  async #keepRequested(answer: UpstreamAnswer, request: UpstreamRequest, around: CallContext): Promise<void> {
    const key = this.#answerKey(request, around);
    const { origin, cookies } = around;
    if (answer.kind === 'failed') return void this.#deps.answers.delete(key);
    const recordedBefore = await this.#recordedEntry(request, origin);
    const session = cookies === undefined ? {} : { cookies };
    this.#keepCalled({ key, request, origin, answer, recordedBefore, ...session });
  }

  /** Answer that the user asked for earlier; undefined if there is none, or a newer recording. */
  async #calledAnswer(request: UpstreamRequest, context: CallContext): Promise<CalledAnswer | undefined> {
    const { answers, usesCassette } = this.#deps;
    const key = this.#answerKey(request, context);
    const { origin } = context;
    const known = answers.get(key);
    if (known === undefined) return undefined;
    const recorded = usesCassette ? await this.#recordedEntry(request, origin) : undefined;
    if (recorded === undefined || recorded === known.recordedBefore) return { ...known, origin };
    answers.delete(key);
    return undefined;
  }

  /** Key of the answer to a call, from before its first attempt. */
  #answerKey(request: UpstreamRequest, context: CallContext): string {
    const call = `${callerOf(context.origin)} ${hashText(requestKey(request))}`;
    const key = this.#keys.get(call) ?? hashOfCall(request, context);
    this.#keys.set(call, key);
    return key;
  }

  /** Keeps an answer in place of those to earlier attempts at the same call. */
  #keepCalled(called: CalledAnswer): void {
    const { row, site } = called.origin;
    this.#deps.answers.set(called.key, called);
    const siteKey = keyOf(row, nodeOfSite(site));
    const others = (this.#called.get(siteKey) ?? []).filter(({ key }) => key !== called.key);
    this.#called.set(siteKey, [...others, called]);
  }

  /** Undefined if the cassette has none. A cassette that cannot be read fails the node that needs it. */
  async #recordedAnswer(request: UpstreamRequest, context: CallContext): Promise<UpstreamAnswer | undefined> {
    if (!this.#deps.usesCassette) return undefined;
    try {
      const cassette = await this.#readCassette();
      if (cassette === undefined) return undefined;
      const onMiss = (_: string, origin: CallOrigin): void => void this.#missed.add(origin);
      const answer = await new ReplayingUpstream(cassette, '', onMiss).call(request, context);
      return this.#missed.has(context.origin) ? undefined : answer;
    } catch (error) {
      if (!isUnreadableCassette(error)) throw error;
      return { kind: 'failed', message: error.message, isFinal: true };
    }
  }

  /** The cassette's entry for the request, as JSON; undefined for none, and if the cassette cannot be read. */
  async #recordedEntry(request: UpstreamRequest, { site }: CallOrigin): Promise<string | undefined> {
    try {
      const cassette = await this.#readCassette();
      if (cassette === undefined) return undefined;
      const recorded = recordRequest(request, cassette.matchHeaders);
      const entry = ResponseFinder.for(cassette).entry(recorded, site);
      return entry && JSON.stringify(entry);
    } catch (error) {
      if (!isUnreadableCassette(error)) throw error;
      return undefined;
    }
  }

  /** Read once for all calls of a preview. */
  #readCassette(): Promise<Cassette | undefined> {
    return (this.#cassette ??= this.#deps.readCassette());
  }

  #describe({ method, url, auth }: UpstreamRequest, nodeId: string): PreviewedCall {
    const maxAttempts = this.#deps.maxAttempts(nodeId);
    return {
      method,
      url: shownUrl(url),
      host: URL.canParse(url) ? new URL(url).host : '',
      secrets: auth === undefined ? [] : [secretOf(auth)],
      ...(maxAttempts === 1 ? {} : { maxAttempts }),
    };
  }
}

const isUnreadableCassette = (error: unknown): error is AppError =>
  error instanceof AppError && error.code === 'invalid_input';

const keyOf = (row: number, nodeId: string): string => `${row} ${nodeId}`;

/** Calls of a called workflow belong to the node that calls it, and those for items to their node. */
const nodeOfSite = (site: string): string => site.split('/')[0] ?? '';
