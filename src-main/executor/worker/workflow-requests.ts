// Requests of a worker's rows for workflows that rows share. Who calls: RunSession.
import type { CallOrigin, UpstreamRequest } from '../ports.ts';
import type {
  CallAnswered,
  CallClaimed,
  CallDeferred,
  CallRequested,
  ClaimEnded,
  WorkflowEnd,
} from '../protocol.ts';
import type { MainChannel } from './main-channel.ts';
import type { PauseGate } from './pause-gate.ts';
import { attemptPosition, type RowRun } from './row-run.ts';

export type CallReply = CallAnswered | CallDeferred | CallClaimed;

type WithoutId<T> = T extends unknown ? Omit<T, 'call'> : never;

/** A message that gets a `CallReply`. */
export type CallMessage = WithoutId<CallRequested | ClaimEnded>;

export const messageOf = (
  request: UpstreamRequest,
  { batch, caller }: RowRun,
  origin: CallOrigin,
): CallMessage => ({ type: 'call', batchId: batch.id, origin, request, claim: caller?.claim });

type RequestOptions = {
  readonly origin: CallOrigin;
  /** Runs the workflow, if this row is the one that does. Where it rejects, another row runs the workflow. */
  readonly execute: (claimed: CallClaimed) => Promise<WorkflowEnd>;
};

type WorkflowRequestsDeps = {
  readonly channel: MainChannel;
  readonly pauseGate: PauseGate;
  /** Throws NodeError for a row that is no longer needed. */
  readonly send: (run: RowRun, message: CallMessage) => Promise<CallReply>;
  /** Traces a call that has ended. */
  readonly trace: (
    position: readonly number[],
    run: RowRun,
    call: { readonly request: UpstreamRequest; readonly over: CallAnswered },
  ) => void;
};

export class WorkflowRequests {
  readonly #deps: WorkflowRequestsDeps;
  /** Batches of the rows that run shared workflows, by the claimed call. */
  readonly #claims = new Map<number, number>();
  #open = 0;

  constructor(deps: WorkflowRequestsDeps) {
    this.#deps = deps;
  }

  /** Open requests. They must take no room from other calls, which they may wait for. */
  get open(): number {
    return this.#open;
  }

  /** Resolves to the end of the workflow, whichever row has run it. */
  async request(
    request: UpstreamRequest,
    run: RowRun,
    { origin, execute }: RequestOptions,
  ): Promise<CallAnswered> {
    const { pauseGate, trace } = this.#deps;
    const position = attemptPosition(run);
    let over = await this.#send(run, messageOf(request, run, origin));
    while (over.type !== 'call-answered') {
      while (pauseGate.isBlocked) await pauseGate.unblocked();
      const message =
        over.type === 'call-claimed'
          ? await this.#runClaimed(over, run, execute)
          : messageOf(request, run, origin);
      over = await this.#send(run, message);
    }
    // The calls of the row that ran the workflow are traced one by one.
    if (over.answer.kind === 'answered' && over.answer.by === 'share')
      trace(position, run, { request, over });
    return over;
  }

  /** Forgets the claims of a batch that has ended, as the main process does. */
  endBatch(batchId: number): void {
    for (const [claim, batch] of this.#claims) if (batch === batchId) this.#claims.delete(claim);
  }

  async #send(run: RowRun, message: CallMessage): Promise<CallReply> {
    this.#open += 1;
    try {
      return await this.#deps.send(run, message);
    } finally {
      this.#open -= 1;
    }
  }

  async #runClaimed(
    claimed: CallClaimed,
    { batch }: RowRun,
    execute: RequestOptions['execute'],
  ): Promise<CallMessage> {
    const { call: claim } = claimed;
    this.#claims.set(claim, batch.id);
    try {
      const end = await execute(claimed);
      return { type: 'claim-ended', claim, batchId: batch.id, ...end };
    } catch (error) {
      if (this.#claims.has(claim)) this.#deps.channel.send({ type: 'claim-released', claim });
      throw error;
    } finally {
      this.#claims.delete(claim);
    }
  }
}
