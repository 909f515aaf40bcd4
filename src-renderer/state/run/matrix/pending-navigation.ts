// A link target that may not exist yet. It is looked up again whenever there are more rows, until it is found or the
// user does something else.

type Search<Target> = { readonly target: Target; isUnderWay: boolean; isMore: boolean };

export class PendingNavigation<Target> {
  readonly #goTo: (target: Target) => Promise<boolean>;
  #search: Search<Target> | undefined;

  /** @param goTo navigates to the target; resolves to whether the target exists */
  constructor(goTo: (target: Target) => Promise<boolean>) {
    this.#goTo = goTo;
  }

  /** Navigates to the target, instead of the previous one. Throws as `goTo` does, and is then cancelled. */
  async start(target: Target): Promise<void> {
    const search: Search<Target> = { target, isUnderWay: true, isMore: false };
    this.#search = search;
    try {
      let isFound = await this.#goTo(target);
      while (!isFound && search.isMore && this.#search === search) {
        search.isMore = false;
        isFound = await this.#goTo(target);
      }
      if (isFound) this.#end(search);
    } catch (error) {
      this.#end(search);
      throw error;
    }
    search.isUnderWay = false;
  }

  /** Looks the target up again, since there may be more rows. Throws as `start` does. */
  async retry(): Promise<void> {
    if (this.#search?.isUnderWay === true) this.#search.isMore = true;
    else if (this.#search !== undefined) await this.start(this.#search.target);
  }

  cancel(): void {
    this.#search = undefined;
  }

  #end(search: Search<Target>): void {
    if (this.#search === search) this.#search = undefined;
  }
}
