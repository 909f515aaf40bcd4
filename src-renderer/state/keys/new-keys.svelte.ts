// New keys that the user has not saved yet. Each is shown only once, over the screen where the user is when it arrives.
// They outlive screens and sessions, because a key that is lost here would still open the interface.
import type { CreatedKey } from '#contract';

export class NewKeys {
  #unsaved = $state.raw<readonly CreatedKey[]>([]);
  #toTry = $state.raw<string | undefined>();

  /** The key to show; several are shown one after another. */
  get shown(): CreatedKey | undefined {
    return this.#unsaved[0];
  }

  /** A saved key that the user wants to test. */
  get toTry(): string | undefined {
    return this.#toTry;
  }

  add(created: CreatedKey): void {
    this.#unsaved = [...this.#unsaved, created];
  }

  /** Removes the shown key, because the user has saved it. */
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
