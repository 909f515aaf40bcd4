// Keys or access tokens that were created in this page, until the user has saved them. Each is shown only once, over the
// screen where the user is when it arrives. They outlive screens and sessions, because one that is lost here would still
// open the server.
// INVARIANT: the text of a secret is in the page's memory only, never in a store of the browser.
export class UnsavedSecrets<Created> {
  #unsaved = $state.raw<readonly Created[]>([]);

  /** The one to show; several are shown one after another. */
  get shown(): Created | undefined {
    return this.#unsaved[0];
  }

  add(created: Created): void {
    this.#unsaved = [...this.#unsaved, created];
  }

  /** Removes the shown one, because the user has saved it. */
  saved(): void {
    this.#unsaved = this.#unsaved.slice(1);
  }
}
