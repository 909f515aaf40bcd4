import { blockBytes, type Block, type ByteBudget, type Holder } from './byte-budget.ts';

/** Small bodies, which most are, never wait for others: what many of them hold together is little. */
const freeOfCharge = 16_384;

type Reading = Partial<Pick<Holder, 'owner' | 'giveUp'>>;

/** The received bytes of one body, within the budget that all bodies share. */
export class HeldBody implements Holder {
  readonly owner: object;
  readonly giveUp: () => void;
  readonly #budget: ByteBudget;
  #isComing = true;
  #small: Uint8Array[] = [];
  #blocks: Block[] = [];
  /** Bytes written to the last block. */
  #filled = blockBytes;
  #size = 0;

  constructor(budget: ByteBudget, { owner = budget, giveUp = () => undefined }: Reading = {}) {
    this.#budget = budget;
    this.owner = owner;
    this.giveUp = giveUp;
  }

  get size(): number {
    return this.#size;
  }

  get isComing(): boolean {
    return this.#isComing;
  }

  /** All of it has come. */
  end(): void {
    this.#isComing = false;
  }

  /** Waits, if need be, until there is room. Rejects with the signal's reason. */
  async add(chunk: Buffer, signal: AbortSignal): Promise<void> {
    this.#size += chunk.length;
    // A copy, since a piece keeps the whole of what it was cut from.
    if (this.#size <= freeOfCharge) return void this.#small.push(Buffer.from(chunk));
    for (const piece of [...this.#small, chunk]) await this.#write(piece, signal);
    this.#small = [];
  }

  async #write(bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    for (let from = 0; from < bytes.length;) {
      if (this.#filled === blockBytes) {
        this.#blocks.push(await this.#budget.take(this, signal));
        this.#filled = 0;
      }
      const piece = bytes.subarray(from, from + blockBytes - this.#filled);
      this.#blocks.at(-1)?.set(piece, this.#filled);
      this.#filled += piece.length;
      from += piece.length;
    }
  }

  /** All of it, as one. */
  toBytes(): Buffer {
    return Buffer.concat([...this.#small, ...this.#blocks], this.#size);
  }

  /** Lets go of what is held; nothing is asked of it afterwards. */
  release(): void {
    this.#budget.giveBack(this, this.#blocks);
    this.#blocks = [];
  }
}
