/** Runs one request of each key at a time; of the waiting ones, only the newest. */
export class NewestOnly<Answer> {
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #newest = new Map<string, symbol>();

  /** Resolves to undefined, without a call of `act`, if a newer request came before its turn. */
  async run(key: string, act: () => Promise<Answer>): Promise<Answer | undefined> {
    const request = Symbol(key);
    this.#newest.set(key, request);
    while (this.#running.has(key)) {
      await this.#running.get(key);
      if (this.#newest.get(key) !== request) return undefined;
    }
    const running = act();
    const ended = running
      .catch(() => undefined)
      .then(() => {
        this.#running.delete(key);
        if (this.#newest.get(key) === request) this.#newest.delete(key);
      });
    this.#running.set(key, ended);
    return running;
  }
}
