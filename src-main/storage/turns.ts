/** Lets acts on one thing follow each other, and acts on different things go side by side. */
export class Turns {
  /** The last act on each thing on which one is under way. */
  readonly #last = new Map<string, Promise<unknown>>();

  /** Acts once the acts before on the thing with that id have ended, however they did. */
  take<T>(id: string, act: () => Promise<T>): Promise<T> {
    const turn = (this.#last.get(id) ?? Promise.resolve()).then(act, act);
    this.#last.set(id, turn);
    const forget = (): void => {
      if (this.#last.get(id) === turn) this.#last.delete(id);
    };
    turn.then(forget, forget);
    return turn;
  }
}
