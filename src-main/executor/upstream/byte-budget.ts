// How much of all bodies together is in memory while they are read. Who calls: `read-body.ts`, once a call.
// INVARIANT: beyond the budget goes one body at a time, the one that has waited longest, so that somebody always gets
// to the end and lets go of what the others wait for.
import { deferred, type Deferred } from '../../base/deferred.ts';

/** Pieces are as large as what a connection hands out at a time. */
export const blockBytes = 65_536;

export type Block = Buffer;

/** Whose the blocks are: one body. */
type Holder = object;

type Waiting = { readonly holder: Holder; readonly admitted: Deferred<Block> };

export class ByteBudget {
  readonly #most: number;
  /** Used again and again: what thousands of bodies would leave behind is collected late. */
  readonly #free: Block[] = [];
  #given = 0;
  #waiting: Waiting[] = [];
  #aboveBudget: Holder | undefined;

  constructor(bytes: number) {
    this.#most = Math.floor(bytes / blockBytes);
  }

  /** A block to write to, at once or when there is room. Rejects with the signal's reason. */
  async take(holder: Holder, signal: AbortSignal): Promise<Block> {
    signal.throwIfAborted();
    if (this.#given < this.#most || this.#aboveBudget === holder) return this.#give();
    const admitted = deferred<Block>();
    const waiting = { holder, admitted };
    const stop = (): void => {
      this.#waiting = this.#waiting.filter((other) => other !== waiting);
      admitted.reject(signal.reason);
    };
    signal.addEventListener('abort', stop, { once: true });
    this.#waiting.push(waiting);
    this.#admit();
    return admitted.promise.finally(() => signal.removeEventListener('abort', stop));
  }

  giveBack(holder: Holder, blocks: readonly Block[]): void {
    this.#given -= blocks.length;
    this.#free.push(...blocks.slice(0, this.#most - this.#free.length));
    if (this.#aboveBudget === holder) this.#aboveBudget = undefined;
    this.#admit();
  }

  #give(): Block {
    this.#given += 1;
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(blockBytes);
  }

  #admit(): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      if (this.#given >= this.#most) {
        if (this.#aboveBudget !== undefined) return;
        this.#aboveBudget = next.holder;
      }
      this.#waiting.shift();
      next.admitted.resolve(this.#give());
    }
  }
}
