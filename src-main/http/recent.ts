// What was seen lately. A client sends the same again and again: what is kept of thousands of calls costs its making
// and, more, the memory that has to be tidied up behind it, so that what is alike is kept once.

/** The last few things that were kept; a new one takes the place of the oldest. */
export class Recent<Kept> {
  readonly #most: number;
  readonly #kept: Kept[] = [];
  #next = 0;

  constructor(most: number) {
    this.#most = most;
  }

  find(fits: (kept: Kept) => boolean): Kept | undefined {
    for (const kept of this.#kept) if (fits(kept)) return kept;
    return undefined;
  }

  keep(kept: Kept): Kept {
    this.#kept[this.#next] = kept;
    this.#next = (this.#next + 1) % this.#most;
    return kept;
  }

  /** The one that is the same, or this one from now on. */
  sameAs(wanted: Kept): Kept {
    for (const kept of this.#kept) if (kept === wanted) return kept;
    return this.keep(wanted);
  }
}
