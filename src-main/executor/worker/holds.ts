// The reasons for which a row waits: the run is paused, another row's asynchronous code is at work, or promise jobs
// that code left behind still run. Author code runs strictly one attempt at a time, so rows cannot see each other's
// order. Jobs that an attempt leaves behind run before any other code. Other rows go on during a call to the outside,
// but a pause waits for the end of the call.
//
// Use as `while (holds.any) await holds.over();` right before acting: the row that wakes first may take the turn.
import { deferred, type Deferred } from '../../base/deferred.ts';

export class Holds {
  /** Number of the pause in force. */
  #pause: number | undefined;
  /** An attempt has one for its code with all that this leaves behind, and one for a promise that it waits for. */
  #turns = 0;
  #calls = 0;
  #over: Deferred<void> | undefined;
  /** Called each time that the run is paused and no attempt is under way. */
  readonly #onHeld: (nth: number) => void;

  constructor(onHeld: (nth: number) => void) {
    this.#onHeld = onHeld;
  }

  get any(): boolean {
    return this.#pause !== undefined || this.#turns > 0;
  }

  over(): Promise<void> {
    this.#over ??= deferred();
    return this.#over.promise;
  }

  pause(nth: number): void {
    this.#pause = nth;
    this.#tellIfHeld();
  }

  resume(): void {
    this.#pause = undefined;
    this.#release();
  }

  takeTurn(): void {
    this.#turns += 1;
  }

  endTurn(): void {
    this.#turns -= 1;
    this.#tellIfHeld();
    this.#release();
  }

  startCall(): void {
    this.#calls += 1;
  }

  endCall(): void {
    this.#calls -= 1;
    this.#tellIfHeld();
  }

  #tellIfHeld(): void {
    if (this.#pause !== undefined && this.#turns === 0 && this.#calls === 0) this.#onHeld(this.#pause);
  }

  #release(): void {
    if (this.any) return;
    this.#over?.resolve();
    this.#over = undefined;
  }
}
