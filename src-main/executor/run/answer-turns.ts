// Sends large answers to the workers one at a time. A busy worker reads its pipe late, and no budget counts the bytes
// that lie there until then. Who calls: a run's execution, once a call.
import { deferred } from '../../base/deferred.ts';

export class AnswerTurns {
  #last: Promise<void> = Promise.resolve();

  /** Resolves when the turn has come, to what ends it. Rejects with the signal's reason. */
  async take(signal: AbortSignal): Promise<() => void> {
    const before = this.#last;
    const mine = deferred();
    this.#last = before.then(() => mine.promise);
    const given = deferred();
    const stop = (): void => given.reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    before.then(given.resolve, given.reject);
    try {
      signal.throwIfAborted();
      await given.promise;
      return mine.resolve;
    } catch (error) {
      // The next caller does not wait for a call that is over.
      mine.resolve();
      throw error;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }
}
