// A link target that may not exist yet. It is looked up now and again whenever there is more, until it is found or the
// user does something else.

type Seeking<Wanted> = { readonly wanted: Wanted; isAsking: boolean; isMore: boolean };

export class Awaited<Wanted> {
  readonly #find: (wanted: Wanted) => Promise<boolean>;
  #seeking: Seeking<Wanted> | undefined;

  /** @param find leads there, and says whether it was there */
  constructor(find: (wanted: Wanted) => Promise<boolean>) {
    this.#find = find;
  }

  /** In place of what was looked for before. Throws as `find` does; then it is not looked for any more. */
  async seek(wanted: Wanted): Promise<void> {
    const seeking: Seeking<Wanted> = { wanted, isAsking: true, isMore: false };
    this.#seeking = seeking;
    try {
      let isFound = await this.#find(wanted);
      while (!isFound && seeking.isMore && this.#seeking === seeking) {
        seeking.isMore = false;
        isFound = await this.#find(wanted);
      }
      if (isFound) this.#end(seeking);
    } catch (error) {
      this.#end(seeking);
      throw error;
    }
    seeking.isAsking = false;
  }

  /** There is more than before. Throws as `seek`. */
  async note(): Promise<void> {
    if (this.#seeking?.isAsking === true) this.#seeking.isMore = true;
    else if (this.#seeking !== undefined) await this.seek(this.#seeking.wanted);
  }

  /** Cancels the pending navigation. */
  forget(): void {
    this.#seeking = undefined;
  }

  #end(seeking: Seeking<Wanted>): void {
    if (this.#seeking === seeking) this.#seeking = undefined;
  }
}
