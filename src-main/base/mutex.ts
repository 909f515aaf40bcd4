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

/** One `Mutex` per key: actions of one key run one after the other, those of different keys at the same time. */
export class KeyedMutex<Key> {
  /** Mutexes of the keys whose actions are running or waiting. */
  readonly #mutexes = new Map<Key, Mutex>();

  /** Runs the action once the earlier ones of the key have ended, even if they failed. Settles as the action does. */
  async run<T>(key: Key, action: () => Promise<T>): Promise<T> {
    const mutex = this.#mutexes.get(key) ?? new Mutex();
    this.#mutexes.set(key, mutex);
    try {
      return await mutex.run(action);
    } finally {
      if (!mutex.isLocked) this.#mutexes.delete(key);
    }
  }
}
