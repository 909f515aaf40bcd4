/** Tells an answer that still counts from one that something newer has overtaken. */
export class Turns {
  #newest = 0;

  /** Begins a turn, which ends the one before. The function says whether it is still the newest. */
  take(): () => boolean {
    const turn = (this.#newest += 1);
    return () => turn === this.#newest;
  }
}
