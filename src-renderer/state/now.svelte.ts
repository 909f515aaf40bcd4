/** The wall clock, updated every second, for texts such as "12 s ago". */
class Now {
  #ms = $state(Date.now());

  constructor() {
    setInterval(() => {
      this.#ms = Date.now();
    }, 1_000);
  }

  get ms(): number {
    return this.#ms;
  }
}

export const now = new Now();
