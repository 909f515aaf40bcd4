// Access tokens that were created in this page, until the user has saved them. Each is shown only once, over the screen
// where the user is when it arrives: one that is lost here would still open the server.
// INVARIANT: a token's text is in the page's memory only, never in a store of the browser.
import type { CreatedToken } from '#contract';

export class NewTokens {
  #unsaved = $state.raw<readonly CreatedToken[]>([]);

  /** The token to show; several are shown one after another. */
  get shown(): CreatedToken | undefined {
    return this.#unsaved[0];
  }

  add(created: CreatedToken): void {
    this.#unsaved = [...this.#unsaved, created];
  }

  /** Removes the shown token, because the user has saved it. */
  saved(): void {
    this.#unsaved = this.#unsaved.slice(1);
  }
}
