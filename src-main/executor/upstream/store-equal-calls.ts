// Stores answers to shared calls before a row gets them, so that rows before and after a crash, and on all workers of a team,
// get the same ones. Who calls: the code that builds a run's upstream, between `shareEqualCalls` and the services. Recordings
// lie above it: a row that gets a stored answer records it again, since the row that made the call may have been lost.
import type { Clock } from '../../base/clock.ts';
import { counted } from '../../domain/format.ts';
import type {
  CallContext,
  SharedAnswers,
  SharedClaim,
  Upstream,
  UpstreamAnswer,
  UpstreamRequest,
} from '../ports.ts';
import { nameOf } from './call.ts';
import { CallPostponed } from './rate-limits.ts';
import { decodeSharedAnswer, encodeSharedAnswer, isSharedAnswer, callerOf, timedCall } from './equal-call.ts';

type Deps = { readonly inner: Upstream; readonly answers: SharedAnswers; readonly clock: Clock };

/** Takes answers to shared calls from `answers`; `inner` makes the calls that have none, and all others. */
export function storeEqualCalls(inner: Upstream, answers: SharedAnswers, clock: Clock): Upstream {
  const deps = { inner, answers, clock };
  return {
    call: (request, around) => {
      if (request.isShared && around.cookies === undefined) return callOnce(request, around, deps);
      // Cookies are never stored, so that another process must make the call of a session itself.
      if (request.isShared && request.intervalMs === undefined) around.onBegin?.();
      return inner.call(request, around);
    },
    ...(inner.close === undefined ? {} : { close: async () => inner.close?.() }),
  };
}

async function callOnce(request: UpstreamRequest, around: CallContext, deps: Deps): Promise<UpstreamAnswer> {
  for (;;) {
    const claim = await claimCall(request, around, deps.answers);
    if (claim.kind === 'full') return refusal(request, claim.maxAnswers);
    if (claim.kind === 'answered') {
      const answer = decodeSharedAnswer(claim);
      // Another node expects this status: the answer stays for that node, and this one makes a call of its own.
      return isSharedAnswer(answer, request) ? answer : deps.inner.call(request, around);
    }
    const answer = await makeCall(request, around, { ...deps, version: claim.version });
    if (answer !== undefined) return answer;
  }
}

/** Waits while another process makes the call, but not through a pause. */
async function claimCall(
  { refuses, intervalMs }: UpstreamRequest,
  { idempotencyKey, signal, pause, onBegin }: CallContext,
  answers: SharedAnswers,
): Promise<SharedClaim> {
  const until = pause === undefined ? signal : AbortSignal.any([signal, pause]);
  try {
    const claim = await answers.claim(idempotencyKey, { refused: refuses, signal: until });
    if (claim.kind !== 'claimed' || intervalMs === undefined) onBegin?.();
    return claim;
  } catch (error) {
    throw pause?.aborted && !signal.aborted ? new CallPostponed() : error;
  }
}

/** Makes a call that this process has claimed. Undefined if another process has claimed it meanwhile. */
async function makeCall(
  request: UpstreamRequest,
  around: CallContext,
  { version, ...deps }: Deps & { readonly version: number },
): Promise<UpstreamAnswer | undefined> {
  const { idempotencyKey: key, origin } = around;
  const { answers } = deps;
  let isStored = false;
  try {
    const { answer, ms } = await timedCall(deps, request, around);
    if (!isSharedAnswer(answer, request)) return answer;
    const bytes = encodeSharedAnswer(answer, { ms, maker: callerOf(origin) });
    isStored = await answers.keep(key, { version, bytes });
    return isStored ? { ...answer, shared: { version, ms } } : undefined;
  } finally {
    if (!isStored) await answers.release(key, version);
  }
}

function refusal(request: UpstreamRequest, maxAnswers: number): UpstreamAnswer {
  const message = `${nameOf(request)} is not made: a run shares ${counted(maxAnswers, 'answer')} at most. Leave "share" out where calls seldom repeat`;
  return { kind: 'failed', message, isFinal: true };
}
