// One worker at work for one run, with the portions that it has not finished.
import { maxAttempts } from '../../domain/nodes/node-keys.ts';
import type { TraceDetail } from '../../domain/run/trace-form.ts';
import { checkCall, checkNodeStarted, checkPortionDone } from './check-claims.ts';
import type { Work } from './loss-verdict.ts';
import type { Plan } from '../plan.ts';
import type { CallAsked, CallOver, FromWorker, NodeStarted, PortionDone, WaitAsked } from '../protocol.ts';
import type { RowWorker, RunLoad, WorkerOwner } from '../pool/row-worker.ts';

type Given = { readonly work: Work; readonly at: number };

export type SeatOptions = {
  readonly worker: RowWorker;
  readonly plan: Plan;
  /** True if rows of the run may wait. */
  readonly mayWait: boolean;
  readonly load: RunLoad;
  readonly owner: WorkerOwner;
};

/** Portions that keep a worker busy while this process works on a commit or a client's request. */
const maxPortions = 4;

export class Seat {
  readonly worker: RowWorker;
  readonly #options: SeatOptions;
  readonly #given = new Map<number, Given>();
  /** Portions whose rows wait for an answer, by `wait 1` or `call 1`. */
  readonly #asked = new Map<string, number>();
  #lastId = 0;
  #lastDone = 0;
  #rows = 0;
  /** Messages sent that set rows going. */
  #sent = 0;
  /** How many of them the worker had heard when it last came to rest. */
  #restedAfter = 0;
  /** The last node attempt that was announced. */
  node: NodeStarted | undefined;
  /** Answered to the pause in force: nothing runs there. */
  isHeld = false;
  isParked = false;

  constructor(options: SeatOptions) {
    const { worker, load, owner } = options;
    this.worker = worker;
    this.#options = options;
    worker.own(owner);
    worker.load(load);
  }

  get isIdle(): boolean {
    return this.#given.size === 0;
  }

  /** Nothing computes there, nor will before another message. Known only of workers that tell. */
  get isResting(): boolean {
    return this.isIdle || this.#restedAfter === this.#sent;
  }

  noteRest(heard: number): void {
    this.#restedAfter = heard;
  }

  wake(wait: number): void {
    this.#asked.delete(`wait ${wait}`);
    this.#sent += 1;
    this.worker.send({ type: 'wait-over', wait });
  }

  /** Resolves when the answer has left this process, or the worker is gone. */
  answer(over: CallOver): Promise<void> {
    this.#asked.delete(`call ${over.call}`);
    this.#sent += 1;
    return new Promise((resolve) => this.worker.send(over, resolve));
  }

  get portions(): number {
    return this.#given.size;
  }

  /** Rows of all portions that are not done. */
  get rows(): number {
    return this.#rows;
  }

  /** Work that was given and is not done. */
  get works(): Work[] {
    return [...this.#given.values()].map(({ work }) => work);
  }

  /** Where rows wait, as many portions as may be in flight. */
  canTake(mayWait: boolean): boolean {
    const isCareful = this.#given.size === 1 && this.works[0]?.careful === true;
    if (isCareful) return false;
    return this.#given.size < maxPortions || (mayWait && this.#rows < this.#options.load.rowsInFlight);
  }

  give(work: Work, now: number, detail: TraceDetail): void {
    const id = (this.#lastId += 1);
    this.#given.set(id, { work, at: now });
    this.#rows += work.rows;
    this.#sent += 1;
    this.node = undefined;
    if (this.#given.size === 1) this.worker.busy();
    this.worker.send({ type: 'portion', portion: { ...work, id, detail } });
  }

  /** The work that is done now, and how long the worker took for it, in ms. Undefined for one not given. */
  take({ portion }: PortionDone, now: number): { work: Work; ms: number } | undefined {
    const given = this.#given.get(portion);
    if (given === undefined) return undefined;
    this.#given.delete(portion);
    for (const [name, of] of this.#asked) if (of === portion) this.#asked.delete(name);
    this.#rows -= given.work.rows;
    const ms = now - Math.max(given.at, this.#lastDone);
    this.#lastDone = now;
    if (this.isIdle) this.worker.idle();
    return { work: given.work, ms };
  }

  /** Throws RangeError for what our own worker would never say of this run, to be called before anything is made of it. */
  check(message: FromWorker): void {
    const { plan, mayWait, load } = this.#options;
    switch (message.type) {
      case 'portion-done':
        return checkPortionDone(message, this.#workOf(message.portion), plan);
      case 'node-started':
        return checkNodeStarted(message, plan, load.timeLimitMs);
      case 'call':
        checkCall(message, this.#workOf(message.portion), plan);
        return this.#noteAsked(message);
      case 'wait':
        this.#workOf(message.portion);
        if (!mayWait) throw new RangeError('a wait that the plan does not have');
        return this.#noteAsked(message);
      default:
    }
  }

  #workOf(portion: number): Work {
    const given = this.#given.get(portion);
    if (given === undefined) throw new RangeError('rows that the worker does not have');
    return given.work;
  }

  /**
   * Throws RangeError for what was asked for already, and for more than the rows in flight can ask: each has one thing that it
   * waits for, and one more with each attempt that went on without its answer.
   */
  #noteAsked(asked: WaitAsked | CallAsked): void {
    const name = asked.type === 'wait' ? `wait ${asked.wait}` : `call ${asked.call}`;
    if (this.#asked.has(name)) throw new RangeError('asked twice');
    if (this.#asked.size >= Math.max(1, this.#options.load.rowsInFlight) * maxAttempts)
      throw new RangeError('more is asked for than rows can ask');
    this.#asked.set(name, asked.portion);
  }

  noteNode(node: NodeStarted): void {
    this.node = node;
    this.worker.busy(node.allowedMs);
  }
}
