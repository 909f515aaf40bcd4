// Limits the memory of all bodies together while they are read. Who calls: `read-body.ts`, once a call.
// INVARIANT: one body at a time may exceed the budget, so that at least one body always ends and frees its blocks.
// Owners take turns, each with its body that has waited longest. A body that stalls while others wait is given up.
import type { CancelTimer, Clock } from '../../base/clock.ts';
import { deferred, type Deferred } from '../../base/deferred.ts';

/** Pieces are as large as what a connection hands out at a time. */
export const blockBytes = 65_536;

export type Block = Buffer;

/** Whose the blocks are: one body. */
export type BlockHolder = {
  /** Whom it is read for: its bodies have no more than a part of the budget. */
  readonly owner: object;
  /** Bytes that have come so far. */
  readonly size: number;
  /** It still comes in. */
  readonly isArriving: boolean;
  /** Ends it, since nothing comes and others wait for what it holds. */
  abort(): void;
};

/** Rules for bodies of different owners that share the budget. */
type BudgetSharing = {
  readonly clock: Clock;
  /** Maximum bytes that the bodies of one owner hold, apart from a body above the budget. */
  readonly bytesOfOne: number;
  /** Time without progress after which a body is aborted if others wait, in ms. */
  readonly stallMs: number;
};

/** Minimum bytes that count as progress: single bytes now and then would block all other bodies. */
const minBytes = 1024;

type Waiting = { readonly holder: BlockHolder; readonly admitted: Deferred<Block> };

export class ByteBudget {
  readonly #maxBlocks: number;
  readonly #maxBlocksOfOwner: number;
  readonly #sharing: BudgetSharing | undefined;
  /** Free blocks for reuse: blocks of thousands of bodies would be garbage-collected late. */
  readonly #free: Block[] = [];
  readonly #blocksOf = new Map<BlockHolder, number>();
  #blocksInUse = 0;
  #waiting: Waiting[] = [];
  #aboveBudget: BlockHolder | undefined;
  /** The last body above the budget of each owner, as a running count. */
  readonly #lastAboveBudget = new WeakMap<object, number>();
  #bodiesAboveBudget = 0;
  #stopWatch: CancelTimer | undefined;

  constructor(bytes: number, sharing?: BudgetSharing) {
    this.#maxBlocks = Math.floor(bytes / blockBytes);
    this.#maxBlocksOfOwner = Math.floor((sharing?.bytesOfOne ?? bytes) / blockBytes);
    this.#sharing = sharing;
  }

  /** A block to write to, at once or when there is room. Rejects with the signal's reason. */
  async acquireBlock(holder: BlockHolder, signal: AbortSignal): Promise<Block> {
    signal.throwIfAborted();
    if (this.#hasRoomFor(holder)) return this.#handOutBlock(holder);
    const admitted = deferred<Block>();
    const waiting = { holder, admitted };
    const stop = (): void => {
      this.#waiting = this.#waiting.filter((other) => other !== waiting);
      admitted.reject(signal.reason);
      this.#watchForStalls();
    };
    signal.addEventListener('abort', stop, { once: true });
    this.#waiting.push(waiting);
    this.#admit();
    return admitted.promise.finally(() => signal.removeEventListener('abort', stop));
  }

  releaseBlocks(holder: BlockHolder, blocks: readonly Block[]): void {
    this.#blocksInUse -= blocks.length;
    this.#blocksOf.delete(holder);
    this.#free.push(...blocks.slice(0, this.#maxBlocks - this.#free.length));
    if (this.#aboveBudget === holder) this.#aboveBudget = undefined;
    this.#admit();
  }

  #hasRoomFor(holder: BlockHolder): boolean {
    if (this.#aboveBudget === holder) return true;
    return this.#blocksInUse < this.#maxBlocks && this.#blocksOfOwner(holder.owner) < this.#maxBlocksOfOwner;
  }

  #blocksOfOwner(owner: object): number {
    let blocks = 0;
    for (const [holder, count] of this.#blocksOf) if (holder.owner === owner) blocks += count;
    return blocks;
  }

  #handOutBlock(holder: BlockHolder): Block {
    this.#blocksInUse += 1;
    this.#blocksOf.set(holder, (this.#blocksOf.get(holder) ?? 0) + 1);
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(blockBytes);
  }

  #admit(): void {
    const before = this.#waiting;
    this.#waiting = [];
    for (const waiting of before) {
      if (this.#hasRoomFor(waiting.holder)) waiting.admitted.resolve(this.#handOutBlock(waiting.holder));
      else this.#waiting.push(waiting);
    }
    if (this.#aboveBudget === undefined) this.#admitAboveBudget();
    this.#watchForStalls();
  }

  /** One owner's bodies, however many, do not keep another's waiting for longer than one of them takes. */
  #admitAboveBudget(): void {
    const turnOf = ({ holder }: Waiting): number => this.#lastAboveBudget.get(holder.owner) ?? 0;
    const [first] = this.#waiting.toSorted((a, b) => turnOf(a) - turnOf(b));
    if (first === undefined) return;
    this.#bodiesAboveBudget += 1;
    this.#lastAboveBudget.set(first.holder.owner, this.#bodiesAboveBudget);
    this.#aboveBudget = first.holder;
    this.#waiting = this.#waiting.filter((other) => other !== first);
    first.admitted.resolve(this.#handOutBlock(first.holder));
  }

  /** Gives up stalled bodies as long as other bodies wait. */
  #watchForStalls(): void {
    if (this.#waiting.length === 0) {
      this.#stopWatch?.();
      this.#stopWatch = undefined;
    }
    if (this.#sharing === undefined || this.#stopWatch !== undefined || this.#waiting.length === 0) return;
    const { clock, stallMs } = this.#sharing;
    const sizes = new Map([...this.#blocksOf.keys()].map((holder) => [holder, holder.size]));
    this.#stopWatch = clock.setTimer(stallMs, () => {
      this.#stopWatch = undefined;
      this.#abortStalled(sizes);
      this.#watchForStalls();
    });
  }

  #abortStalled(sizes: ReadonlyMap<BlockHolder, number>): void {
    const waiting = new Set(this.#waiting.map(({ holder }) => holder));
    for (const holder of [...this.#blocksOf.keys()]) {
      const size = sizes.get(holder);
      const isStalled = size !== undefined && holder.size - size < minBytes;
      if (isStalled && holder.isArriving && !waiting.has(holder)) holder.abort();
    }
  }
}
