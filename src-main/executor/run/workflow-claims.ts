// Workflows that rows of a run share, while a worker runs them. `upstream/share-equal-calls.ts` decides which row runs one, and
// lets the others wait; here the worker of that row is told, and says how it ended. Who calls: answerCall, and the code that
// gets messages of workers.
import { deferred, type Deferred } from '../../base/deferred.ts';
import { untilAborted } from '../../base/sleep.ts';
import { rowId } from '../../domain/run/row-numbers.ts';
import type { CallContext, Upstream, UpstreamAnswer } from '../ports.ts';
import type { CallRequested, ClaimEnded, ClaimReleased } from '../protocol.ts';
import { WorkReleased } from '../upstream/share-equal-calls.ts';
import type { WorkerSlot } from './worker-slot.ts';

/** A shared workflow that a worker runs. */
type Claim = {
  /** Key of the call of the workflow; those of calls in it begin with it. */
  readonly key: string;
  readonly seed: number;
  readonly site: string;
  /** Aborted when the row no longer runs it. */
  readonly aborter: AbortController;
  readonly ended: Deferred<ClaimEnded>;
};

/** A row's request for a shared workflow. @property call id of the request */
type WorkflowRequest = Pick<Claim, 'site' | 'aborter'> & { readonly call: number };

export class WorkflowClaims {
  readonly #claims = new WeakMap<WorkerSlot, Map<number, Claim>>();
  #open = 0;
  #claimed = 0;

  /** False while rows wait, and nothing in this process runs what they wait for. */
  get isRunning(): boolean {
    return this.#open === 0 || this.#claimed > 0;
  }

  /** The same upstream, whose open requests for workflows are counted. */
  count(upstream: Upstream): Upstream {
    const counted = async (answer: Promise<UpstreamAnswer>): Promise<UpstreamAnswer> => {
      this.#open += 1;
      try {
        return await answer;
      } finally {
        this.#open -= 1;
      }
    };
    return {
      call: (request, around) => {
        const answer = upstream.call(request, around);
        return around.runInWorker === undefined ? answer : counted(answer);
      },
    };
  }

  /** Key and origin of a row's call. In a shared workflow, no row is part of the key. */
  contextOf(
    runId: string,
    slot: WorkerSlot,
    { claim: id, origin }: CallRequested,
  ): Pick<CallContext, 'idempotencyKey' | 'origin'> {
    const claim = id === undefined ? undefined : this.#claims.get(slot)?.get(id);
    if (claim === undefined || !origin.site.startsWith(`${claim.site}/`))
      return { idempotencyKey: `${runId}/${rowId(runId, origin.row)}/${origin.site}`, origin };
    const site = origin.site.slice(claim.site.length + 1);
    return {
      idempotencyKey: `${claim.key}/${site}`,
      origin: { ...origin, shared: { seed: claim.seed, site } },
    };
  }

  /**
   * Has the row run the workflow. Resolves to the answer for all rows, and to the id under which the row waits for its reply.
   * Rejects with `WorkReleased` if the row ends before.
   */
  async runInWorker(
    slot: WorkerSlot,
    { call, site, aborter }: WorkflowRequest,
    { idempotencyKey: key, origin: { attempt }, waitedMs = 0 }: CallContext,
  ): Promise<{ readonly answer: UpstreamAnswer; readonly reply: number }> {
    const claims = this.#claims.get(slot) ?? new Map<number, Claim>();
    const seed = Number.parseInt(key.slice(-8), 16);
    const claim = { key, seed, site, aborter, ended: deferred<ClaimEnded>() };
    this.#claims.set(slot, claims.set(call, claim));
    this.#claimed += 1;
    try {
      void slot.answerCall({ type: 'call-claimed', call, seed, attempt, waitedMs });
      const { call: reply, text, hasFailed } = await untilAborted(claim.ended.promise, aborter.signal);
      const status = hasFailed ? 500 : 200;
      return { answer: { kind: 'answered', status, headers: [], body: Buffer.from(text) }, reply };
    } catch {
      throw new WorkReleased();
    } finally {
      this.#claimed -= 1;
      claims.delete(call);
    }
  }

  endClaim(slot: WorkerSlot, message: ClaimEnded | ClaimReleased): void {
    const claim = this.#claims.get(slot)?.get(message.claim);
    if (message.type === 'claim-ended') claim?.ended.resolve(message);
    else claim?.aborter.abort();
  }
}
