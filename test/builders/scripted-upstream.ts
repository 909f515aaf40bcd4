// An upstream without a network: a function answers, and every request is kept.
import type {
  CallContext,
  Upstream,
  UpstreamAnswer,
  UpstreamRequest,
} from '../../src-main/executor/ports.ts';

export type ScriptedUpstream = Upstream & {
  readonly requests: UpstreamRequest[];
  /** The idempotency keys of the requests. */
  readonly keys: string[];
};

/** @param answer for the nth request, from 1 */
export function scriptedUpstream(
  answer: (
    request: UpstreamRequest,
    nth: number,
    around: CallContext,
  ) => UpstreamAnswer | Promise<UpstreamAnswer>,
): ScriptedUpstream {
  const requests: UpstreamRequest[] = [];
  const keys: string[] = [];
  return {
    requests,
    keys,
    async call(request, around) {
      keys.push(around.idempotencyKey);
      return answer(request, requests.push(request), around);
    },
  };
}

type Rest = Partial<Omit<Extract<UpstreamAnswer, { kind: 'answered' }>, 'kind' | 'body'>>;

/** An answer of a type of content; the body may be what is no text at all. */
export const answered = (type: string, body: string | Uint8Array, rest: Rest = {}): UpstreamAnswer => ({
  kind: 'answered',
  status: 200,
  body: typeof body === 'string' ? Buffer.from(body) : body,
  ...rest,
  headers: [['content-type', type], ...(rest.headers ?? [])],
});

export const jsonAnswer = (value: unknown, rest: Rest = {}): UpstreamAnswer =>
  answered('application/json', JSON.stringify(value), rest);
