// Sends large answers to the workers one at a time. A busy worker reads its pipe late, and no budget counts the bytes
// in the pipe until then. Who calls: answerCall, once for each call.
import { deferred } from '../../base/deferred.ts';
import { Mutex } from '../../base/mutex.ts';

export class AnswerLock {
  readonly #mutex = new Mutex();

  /** Resolves to the function that releases the lock. Rejects with the signal's reason; the next caller then gets the lock. */
  acquire(signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => reject(signal.reason as Error);
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      void this.#mutex.run(async () => {
        signal.removeEventListener('abort', onAbort);
        if (signal.aborted) return onAbort();
        const released = deferred();
        resolve(released.resolve);
        await released.promise;
      });
    });
  }
}
