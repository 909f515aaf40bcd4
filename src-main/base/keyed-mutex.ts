import { Mutex } from './mutex.ts';

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
