/** Runs actions one after the other, in the order in which they were asked for. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();
  #unfinished = 0;

  /** Whether an action is running or waiting. */
  get isLocked(): boolean {
    return this.#unfinished > 0;
  }

  /** Runs the action once the earlier ones have ended, however they did. Settles as the action does. */
  run<T>(action: () => Promise<T>): Promise<T> {
    this.#unfinished += 1;
    const result = this.#last.then(action).finally(() => (this.#unfinished -= 1));
    // The next action runs whatever this one came to; its caller learns of a failure through `result`.
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Resolves once the actions so far have ended. */
  async settled(): Promise<void> {
    await this.#last;
  }
}
