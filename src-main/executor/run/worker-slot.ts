// One worker of a run, with the batches that it has not finished. It checks and notes each message of the worker before
// the run execution gets it.
import type { TraceDetail } from '../../domain/results/trace-form.ts';
import type { RowWorker, RunLoad, WorkerOwner } from '../pool/row-worker.ts';
import type { Plan } from '../plan.ts';
import { splitBatch } from '../split-batch.ts';
import type {
  BatchDone,
  CallAnswered,
  CallClaimed,
  CallDeferred,
  CallRequested,
  ClaimEnded,
  FromWorker,
  NodeStarted,
  WaitRequested,
} from '../protocol.ts';
import { checkBatchDone, checkCall, checkNodeStarted, checkWait, maxRequestsOfRow } from './check-claims.ts';
import type { PendingBatch } from './recover-lost-batch.ts';

/** @property sentAt in monotonic ms */
type SentBatch = { readonly batch: PendingBatch; readonly sentAt: number };

type WorkerSlotOptions = WorkerOwner & {
  readonly worker: RowWorker;
  readonly plan: Plan;
  /** True if rows of the run may wait. */
  readonly mayWait: boolean;
  readonly load: RunLoad;
};

/** Number of batches that keep a worker busy while this process works on a commit or a client's request. */
const maxBatches = 4;

export class WorkerSlot {
  readonly worker: RowWorker;
  readonly #options: WorkerSlotOptions;
  readonly #cpuMsBefore: number | undefined;
  readonly #sentBatches = new Map<number, SentBatch>();
  /** Ids of the batches whose rows wait for an answer, by `wait 1` or `call 1`. */
  readonly #openRequests = new Map<string, number>();
  #lastId = 0;
  #lastDoneAt = 0;
  #rows = 0;
  /** Number of messages sent that make rows go on. */
  #messagesSent = 0;
  /** How many of them the worker had heard when it was last idle. */
  #idleAfter = 0;
  #node: NodeStarted | undefined;
  /** The worker has answered the pause in force: nothing runs there. */
  isPaused = false;

  constructor(options: WorkerSlotOptions) {
    const { worker, load, onMessage, onLost } = options;
    this.worker = worker;
    this.#options = options;
    this.#cpuMsBefore = worker.cpuMs();
    worker.setOwner({
      onMessage: (message) => {
        this.#checkMessage(message);
        this.#recordMessage(message);
        onMessage(message);
      },
      onLost,
    });
    worker.loadRun(load);
  }

  /** Computing time of the worker since the slot has it, in ms; undefined if the system does not report it. */
  get computedMs(): number | undefined {
    const cpuMs = this.worker.cpuMs();
    return cpuMs === undefined || this.#cpuMsBefore === undefined ? undefined : cpuMs - this.#cpuMsBefore;
  }

  /** The worker has no batch. */
  get isFree(): boolean {
    return this.#sentBatches.size === 0;
  }

  /** Nothing computes there, nor will before another message. Known only of workers that report it. */
  get isIdle(): boolean {
    return this.isFree || this.#idleAfter === this.#messagesSent;
  }

  /** The last node attempt that the worker announced since its last batch. */
  get node(): NodeStarted | undefined {
    return this.#node;
  }

  endWait(wait: number): void {
    this.#openRequests.delete(`wait ${wait}`);
    this.#messagesSent += 1;
    this.worker.send({ type: 'wait-ended', wait });
  }

  /** Resolves when the answer has left this process, or the worker is gone. */
  answerCall(answered: CallAnswered | CallDeferred | CallClaimed): Promise<void> {
    this.#openRequests.delete(`call ${answered.call}`);
    this.#messagesSent += 1;
    return new Promise((resolve) => this.worker.send(answered, resolve));
  }

  /** Rows of all batches that are not done. */
  get rows(): number {
    return this.#rows;
  }

  /** Batches that were sent and are not done. */
  get batches(): PendingBatch[] {
    return [...this.#sentBatches.values()].map(({ batch }) => batch);
  }

  /** Where rows wait, a worker may have as many batches as it may have rows in flight; with a token budget, no more. */
  get canTakeBatch(): boolean {
    const { mayWait, load, plan } = this.#options;
    if (this.batches.some(({ isolated }) => isolated)) return false;
    if (plan.tokenBudget !== undefined) return this.#rows < load.rowsInFlight;
    return this.#sentBatches.size < maxBatches || (mayWait && this.#rows < load.rowsInFlight);
  }

  /** Throws RangeError for a batch that the worker does not have. */
  batchOf(batchId: number): PendingBatch {
    return this.#sentBatch(batchId).batch;
  }

  sendBatch(batch: PendingBatch, now: number, detail: TraceDetail): void {
    const id = (this.#lastId += 1);
    this.#sentBatches.set(id, { batch, sentAt: now });
    this.#rows += batch.rows;
    this.#messagesSent += 1;
    this.#node = undefined;
    if (this.#sentBatches.size === 1) this.worker.markBusy();
    this.worker.send({ type: 'batch', batch: { ...batch, id, detail } });
  }

  /** Takes the rows that are done from the slot. Returns them with the time that the worker took for them, in ms. */
  finishBatch(
    { batchId, result, endsRun }: BatchDone,
    now: number,
  ): { readonly batch: PendingBatch; readonly ms: number } {
    const { batch: sent, sentAt } = this.#sentBatch(batchId);
    const isPart = result.rows < sent.rows && !endsRun;
    const [batch, rest] = isPart ? splitBatch(sent, result.rows) : [sent];
    if (rest === undefined) this.#sentBatches.delete(batchId);
    else this.#sentBatches.set(batchId, { batch: rest, sentAt: now });
    for (const [name, owner] of this.#openRequests) if (owner === batchId) this.#openRequests.delete(name);
    this.#rows -= batch.rows;
    const ms = now - Math.max(sentAt, this.#lastDoneAt);
    this.#lastDoneAt = now;
    if (this.isFree) this.worker.markIdle();
    return { batch, ms };
  }

  /** Throws RangeError for what our own worker would never say of this run. */
  #checkMessage(message: FromWorker): void {
    const { plan, mayWait, load } = this.#options;
    switch (message.type) {
      case 'batch-done':
        return checkBatchDone(message, this.#sentBatch(message.batchId).batch, plan);
      case 'node-started':
        return checkNodeStarted(message, plan, load.timeLimitMs);
      case 'call':
        checkCall(message, this.#sentBatch(message.batchId).batch, plan);
        return this.#checkRequest(message);
      case 'claim-ended':
        this.#sentBatch(message.batchId);
        return this.#checkRequest(message);
      case 'wait':
        checkWait(message, this.#sentBatch(message.batchId).batch, plan);
        if (!mayWait) throw new RangeError('a wait that the plan does not have');
        return this.#checkRequest(message);
      default:
    }
  }

  #recordMessage(message: FromWorker): void {
    switch (message.type) {
      case 'node-started':
        this.#node = message;
        return this.worker.markBusy(message.allowedMs);
      case 'call':
      case 'claim-ended':
      case 'wait':
        return void this.#openRequests.set(nameOf(message), message.batchId);
      case 'idle':
        this.#idleAfter = message.heardMessages;
        return;
      default:
    }
  }

  #sentBatch(batchId: number): SentBatch {
    const sent = this.#sentBatches.get(batchId);
    if (sent === undefined) throw new RangeError('rows that the worker does not have');
    return sent;
  }

  /** Throws RangeError for a repeated request, and for more requests than the rows in flight can make. */
  #checkRequest(request: WaitRequested | CallRequested | ClaimEnded): void {
    if (this.#openRequests.has(nameOf(request))) throw new RangeError('a request that is made twice');
    const { load, plan } = this.#options;
    if (this.#openRequests.size >= Math.max(1, load.rowsInFlight) * maxRequestsOfRow(plan))
      throw new RangeError('more requests than rows can make');
  }
}

const nameOf = (request: WaitRequested | CallRequested | ClaimEnded): string =>
  request.type === 'wait' ? `wait ${request.wait}` : `call ${request.call}`;
