// A row's call to the outside, from the worker's request until the answer is sent back. Who calls: RunExecution.
import type { Clock, CancelTimer } from '../../base/clock.ts';
import { deferred } from '../../base/deferred.ts';
import { Mutex } from '../../base/mutex.ts';
import { workflowMethod } from '../plan.ts';
import type { CallContext, Upstream } from '../ports.ts';
import { CallPostponed } from '../upstream/rate-limits.ts';
import type { CallRequested } from '../protocol.ts';
import type { RowSessions } from './row-sessions.ts';
import type { WorkflowClaims } from './workflow-claims.ts';
import type { WorkerSlot } from './worker-slot.ts';

export type CallDeps = {
  readonly runId: string;
  readonly clock: Clock;
  readonly upstream: Upstream;
  readonly openRequests: RowRequests;
  readonly answerLock: AnswerLock;
  readonly sessions: RowSessions;
  readonly workflows: WorkflowClaims;
  /** Aborted while the run is paused; undefined if it cannot be paused. */
  readonly pauseSignal: () => AbortSignal | undefined;
  /** Called for an error that is not the call's; the run cannot continue. */
  readonly onBroken: (error: unknown) => Promise<void>;
};

/** Resolves when the answer has left this process, or the row no longer waits for it. */
export async function answerCall(deps: CallDeps, slot: WorkerSlot, requested: CallRequested): Promise<void> {
  const { batchId, origin, request } = requested;
  const { runId, clock, upstream, openRequests, answerLock, sessions, workflows } = deps;
  let { call } = requested;
  const requestedAt = clock.monotonic();
  let startedAt = requestedAt;
  const onBegin = (): void => void (startedAt = clock.monotonic());
  const pause = deps.pauseSignal();
  const aborter = new AbortController();
  const forgetRequest = openRequests.addRequest(slot, batchId, () => aborter.abort());
  const runInWorker = async (around: CallContext) => {
    const { answer, reply } = await workflows.runInWorker(slot, { call, site: origin.site, aborter }, around);
    call = reply;
    return answer;
  };
  let releaseLock = (): void => undefined;
  const room = async (until: AbortSignal): Promise<void> => {
    releaseLock = await answerLock.acquire(until);
  };
  try {
    const { signal } = aborter;
    const { session } = request;
    const cookies = session === undefined ? undefined : await sessions.cookiesOf(origin, session);
    const context = {
      ...workflows.contextOf(runId, slot, requested),
      signal,
      room,
      onBegin,
      ...(request.method === workflowMethod ? { runInWorker } : {}),
      ...(pause === undefined ? {} : { pause }),
      ...(cookies === undefined ? {} : { cookies }),
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

/**
 * Sends large answers to the workers one at a time. A busy worker reads its pipe late, and no budget counts the bytes
 * in the pipe until then.
 */
export class AnswerLock {
  readonly #mutex = new Mutex();

  /** Resolves to the function that releases the lock. Rejects with the signal's reason; the next caller then gets the lock. */
  acquire(signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => reject(signal.reason as Error);
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      void this.#mutex.run(async () => {
        signal.removeEventListener('abort', onAbort);
        if (signal.aborted) return onAbort();
        const released = deferred();
        resolve(released.resolve);
        await released.promise;
      });
    });
  }
}

/**
 * The waits and calls of one run's rows outside their workers, by slot and batch. They are cancelled when the batch
 * ends or its worker is lost: a row that ended otherwise is not woken, and its call is not made.
 */
export class RowRequests {
  readonly #bySlot = new Map<WorkerSlot, Map<number, Set<CancelTimer>>>();

  /** Adds a request and the function that cancels it. The returned function removes the request. */
  addRequest(slot: WorkerSlot, batch: number, callOff: CancelTimer): () => void {
    const slotRequests = this.#bySlot.get(slot) ?? new Map<number, Set<CancelTimer>>();
    const batchRequests = slotRequests.get(batch) ?? new Set();
    batchRequests.add(callOff);
    this.#bySlot.set(slot, slotRequests.set(batch, batchRequests));
    return () => void batchRequests.delete(callOff);
  }

  /** Cancels the requests of a batch that is done. */
  cancelBatch(slot: WorkerSlot, batch: number): void {
    const slotRequests = this.#bySlot.get(slot);
    slotRequests?.get(batch)?.forEach((callOff) => callOff());
    slotRequests?.delete(batch);
  }

  /** Cancels the requests of a slot that has lost its worker. */
  cancelSlot(slot: WorkerSlot): void {
    this.#bySlot.get(slot)?.forEach((batchRequests) => batchRequests.forEach((callOff) => callOff()));
    this.#bySlot.delete(slot);
  }

  cancelAll(): void {
    for (const slot of [...this.#bySlot.keys()]) this.cancelSlot(slot);
  }
}
