// Keys that were created and not saved yet. Each is shown only once, on the screen where the user is when it arrives.
// They are held above the screens and the session, because a key that is lost here still opens the interface.
import type { CreatedKey } from '#contract';

export class NewKeys {
  #unsaved = $state.raw<readonly CreatedKey[]>([]);
  #toTry = $state.raw<string | undefined>();

  /** One after another, where there are several. */
  get shown(): CreatedKey | undefined {
    return this.#unsaved[0];
  }

  /** A key that was saved and is to be tried next. */
  get toTry(): string | undefined {
    return this.#toTry;
  }

  add(created: CreatedKey): void {
    this.#unsaved = [...this.#unsaved, created];
  }

  /** The one that is shown was saved, and is forgotten here. */
  saved(): void {
    this.#unsaved = this.#unsaved.slice(1);
  }

  savedToTry(): void {
    this.#toTry = this.shown?.secret;
    this.saved();
  }

  tried(): void {
    this.#toTry = undefined;
  }
}
