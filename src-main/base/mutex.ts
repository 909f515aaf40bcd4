/** Runs actions one after the other, in the order in which they were requested. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();
  #unfinished = 0;

  /** True if an action is running or waiting. */
  get isLocked(): boolean {
    return this.#unfinished > 0;
  }

  /** Runs the action once the earlier ones have ended, even if they failed. Settles as the action does. */
  run<T>(action: () => Promise<T>): Promise<T> {
    this.#unfinished += 1;
    const result = this.#last.then(action).finally(() => (this.#unfinished -= 1));
    // A failure is reported to this caller through `result`; it must not fail the next action.
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Resolves once all actions requested so far have ended. Never rejects. */
  async settled(): Promise<void> {
    await this.#last;
  }
}
