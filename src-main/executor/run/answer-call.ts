// A row's call to the outside, from the worker's request until the answer is sent back. Who calls: RunExecution.
import type { Clock } from '../../base/clock.ts';
import { rowId } from '../../domain/run/row-id.ts';
import type { AnswerLock } from './answer-lock.ts';
import type { RowRequests } from './row-requests.ts';
import type { Upstream } from '../ports.ts';
import { CallPostponed } from '../upstream/rate-limits.ts';
import type { CallRequested } from '../protocol.ts';
import type { WorkerSlot } from './worker-slot.ts';

export type CallDeps = {
  readonly runId: string;
  readonly clock: Clock;
  readonly upstream: Upstream;
  readonly openRequests: RowRequests;
  readonly answerLock: AnswerLock;
  /** Aborted while the run is paused; undefined if it cannot be paused. */
  readonly pauseSignal: () => AbortSignal | undefined;
  /** Called for an error that is not the call's; the run cannot continue. */
  readonly onBroken: (error: unknown) => Promise<void>;
};

/** Resolves when the answer has left this process, or the row no longer waits for it. */
export async function answerCall(
  deps: CallDeps,
  slot: WorkerSlot,
  { call, batchId, origin, request }: CallRequested,
): Promise<void> {
  const { runId, clock, upstream, openRequests, answerLock } = deps;
  const requestedAt = clock.monotonic();
  let startedAt = requestedAt;
  const onBegin = (): void => void (startedAt = clock.monotonic());
  const pause = deps.pauseSignal();
  const aborter = new AbortController();
  const forgetRequest = openRequests.addRequest(slot, batchId, () => aborter.abort());
  const idempotencyKey = `${runId}/${rowId(runId, origin.row)}/${origin.site}`;
  let releaseLock = (): void => undefined;
  const room = async (until: AbortSignal): Promise<void> => {
    releaseLock = await answerLock.acquire(until);
  };
  try {
    const { signal } = aborter;
    const context = {
      idempotencyKey,
      signal,
      origin,
      room,
      onBegin,
      ...(pause === undefined ? {} : { pause }),
    };
    const answer = await upstream.call(request, context);
    // The row may have ended while the answer arrived.
    if (aborter.signal.aborted) return;
    const waitedMs = Math.round(startedAt - requestedAt);
    await slot.answerCall({
      type: 'call-answered',
      call,
      answer,
      ms: Math.round(clock.monotonic() - startedAt),
      ...(waitedMs === 0 ? {} : { waitedMs }),
    });
  } catch (error) {
    if (aborter.signal.aborted) return;
    if (error instanceof CallPostponed) await slot.answerCall({ type: 'call-deferred', call });
    else await deps.onBroken(error);
  } finally {
    forgetRequest();
    releaseLock();
  }
}
