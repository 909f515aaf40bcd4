// The reasons for which a row waits: the run is paused, another row's asynchronous code is at work, or promise jobs
// that code left behind still run. Author code runs strictly one attempt at a time, so rows cannot see each other's
// order. Jobs that an attempt leaves behind run before any other code. Other rows go on during a call to the outside,
// but a pause waits for the end of the call.
//
// Use `while (pauseGate.isBlocked) await pauseGate.unblocked();` right before acting: another row may wake first and lock it.
import { deferred, type Deferred } from '../../base/deferred.ts';

export class PauseGate {
  /** Id of the current pause. */
  #pauseId: number | undefined;
  /** Number of locks. An attempt has one for its code and remaining jobs, and one for a promise that it awaits. */
  #locks = 0;
  #calls = 0;
  #unblocked: Deferred<void> | undefined;
  /** Called each time the run is paused and no attempt runs. */
  readonly #onPaused: (nth: number) => void;

  constructor(onPaused: (nth: number) => void) {
    this.#onPaused = onPaused;
  }

  get isBlocked(): boolean {
    return this.#pauseId !== undefined || this.#locks > 0;
  }

  unblocked(): Promise<void> {
    this.#unblocked ??= deferred();
    return this.#unblocked.promise;
  }

  pause(pauseId: number): void {
    this.#pauseId = pauseId;
    this.#notifyIfPaused();
  }

  resume(): void {
    this.#pauseId = undefined;
    this.#unblock();
  }

  lock(): void {
    this.#locks += 1;
  }

  unlock(): void {
    this.#locks -= 1;
    this.#notifyIfPaused();
    this.#unblock();
  }

  startCall(): void {
    this.#calls += 1;
  }

  endCall(): void {
    this.#calls -= 1;
    this.#notifyIfPaused();
  }

  #notifyIfPaused(): void {
    if (this.#pauseId !== undefined && this.#locks === 0 && this.#calls === 0) this.#onPaused(this.#pauseId);
  }

  #unblock(): void {
    if (this.isBlocked) return;
    this.#unblocked?.resolve();
    this.#unblocked = undefined;
  }
}
