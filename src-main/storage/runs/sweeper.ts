// Removes leftovers a few at a time, so that other calls run in between. Who calls: the databases of stores.

export class Sweeper {
  /** Removes some; resolves to true if there is more to do. */
  readonly #sweep: () => Promise<boolean>;
  #sweeping: Promise<void> | undefined;
  #isRequested = false;
  #isClosing = false;

  constructor(sweep: () => Promise<boolean>) {
    this.#sweep = sweep;
  }

  /** Starts to remove all that is left over now. */
  sweepSoon(): void {
    this.#isRequested = true;
    this.#sweeping ??= this.#sweepAll();
  }

  /** Resolves when nothing is left over, or a removal failed, which the next start repeats. */
  async settled(): Promise<void> {
    await this.#sweeping;
  }

  /** Ends after the call that is under way. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#sweeping;
  }

  async #sweepAll(): Promise<void> {
    while (this.#isRequested && !this.#isClosing) {
      this.#isRequested = false;
      // After a failure, the next removal or start frees the space.
      while (!this.#isClosing && (await this.#sweep().catch(() => false)));
    }
    this.#sweeping = undefined;
  }
}
