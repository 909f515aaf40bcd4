import { blockBytes, type Block, type ByteBudget, type BlockHolder } from './byte-budget.ts';

/** Maximum size of bodies that never wait for others, in bytes. Most bodies are that small and take little memory together. */
const maxUncountedBytes = 16_384;

type BodyOwner = Partial<Pick<BlockHolder, 'owner' | 'abort'>>;

/** The received bytes of one body, within the budget that all bodies share. */
export class BufferedBody implements BlockHolder {
  readonly owner: object;
  readonly abort: () => void;
  readonly #budget: ByteBudget;
  #isComing = true;
  #small: Uint8Array[] = [];
  #blocks: Block[] = [];
  /** Bytes written to the last block. */
  #filled = blockBytes;
  #size = 0;

  constructor(budget: ByteBudget, { owner = budget, abort = () => undefined }: BodyOwner = {}) {
    this.#budget = budget;
    this.owner = owner;
    this.abort = abort;
  }

  get size(): number {
    return this.#size;
  }

  get isArriving(): boolean {
    return this.#isComing;
  }

  /** All of it has come. */
  end(): void {
    this.#isComing = false;
  }

  /** Waits, if need be, until there is room. Rejects with the signal's reason. */
  async append(chunk: Buffer, signal: AbortSignal): Promise<void> {
    this.#size += chunk.length;
    // A copy, since a piece keeps the whole of what it was cut from.
    if (this.#size <= maxUncountedBytes) return void this.#small.push(Buffer.from(chunk));
    for (const piece of [...this.#small, chunk]) await this.#write(piece, signal);
    this.#small = [];
  }

  async #write(bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    for (let from = 0; from < bytes.length;) {
      if (this.#filled === blockBytes) {
        this.#blocks.push(await this.#budget.acquireBlock(this, signal));
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
    this.#budget.releaseBlocks(this, this.#blocks);
    this.#blocks = [];
  }
}
