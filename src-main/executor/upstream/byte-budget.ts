// How much of all bodies together is in memory while they are read. Who calls: `read-body.ts`, once a call.
// INVARIANT: beyond the budget goes one body at a time, the one that has waited longest, so that somebody always gets
// to the end and lets go of what the others wait for.
import { deferred, type Deferred } from '../../base/deferred.ts';

/** Small answers, which most are, never wait: what many of them hold together is little. */
const freeOfCharge = 16_384;

export class ByteBudget {
  #left: number;
  #waiting: { readonly share: ByteShare; readonly bytes: number; readonly admitted: Deferred }[] = [];
  #aboveBudget: ByteShare | undefined;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  share(): ByteShare {
    return new ByteShare(this);
  }

  /** Resolves when the share may hold so much more. Rejects with the signal's reason. */
  async take(share: ByteShare, bytes: number, signal: AbortSignal): Promise<void> {
    if (bytes <= this.#left || this.#aboveBudget === share) return this.#give(share, bytes);
    const admitted = deferred();
    const waiting = { share, bytes, admitted };
    const stop = (): void => {
      this.#waiting = this.#waiting.filter((other) => other !== waiting);
      admitted.reject(signal.reason);
    };
    signal.throwIfAborted();
    signal.addEventListener('abort', stop, { once: true });
    this.#waiting.push(waiting);
    this.#admit();
    await admitted.promise.finally(() => signal.removeEventListener('abort', stop));
  }

  giveBack(share: ByteShare): void {
    this.#left += share.charged;
    share.charged = 0;
    if (this.#aboveBudget === share) this.#aboveBudget = undefined;
    this.#admit();
  }

  #give(share: ByteShare, bytes: number): void {
    this.#left -= bytes;
    share.charged += bytes;
  }

  #admit(): void {
    for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) {
      if (next.bytes > this.#left) {
        if (this.#aboveBudget !== undefined) return;
        this.#aboveBudget = next.share;
      }
      this.#waiting.shift();
      this.#give(next.share, next.bytes);
      next.admitted.resolve();
    }
  }
}

/** What one body holds. */
export class ByteShare {
  readonly #budget: ByteBudget;
  #held = 0;
  /** Of the budget. */
  charged = 0;

  constructor(budget: ByteBudget) {
    this.#budget = budget;
  }

  /** Waits, if need be, for `bytes` more. Rejects with the signal's reason. */
  async take(bytes: number, signal: AbortSignal): Promise<void> {
    this.#held += bytes;
    const due = Math.max(0, this.#held - freeOfCharge) - this.charged;
    if (due > 0) await this.#budget.take(this, due, signal);
  }

  giveBack(): void {
    this.#budget.giveBack(this);
  }
}
