// Keys that were created in this page. Each is shown only once, over the screen where the user is when it arrives. They
// outlive screens and sessions, because a key that is lost here would still open the interface.
// INVARIANT: a key's text is in the page's memory only, never in a store of the browser.
import type { CreatedKey, KeyView } from '#contract';

export class NewKeys {
  #isCreating = $state(false);
  #unsaved = $state.raw<readonly CreatedKey[]>([]);
  #toTry = $state.raw<string | undefined>();
  /** Newest first. */
  #created = $state.raw<readonly CreatedKey[]>([]);

  /** True while the dialog that creates a key is open. */
  get isCreating(): boolean {
    return this.#isCreating;
  }

  startCreating(): void {
    this.#isCreating = true;
  }

  stopCreating(): void {
    this.#isCreating = false;
  }

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
    this.#created = [created, ...this.#created];
  }

  /**
   * The newest of these keys that is not revoked and opens the workflow: for snippets that work as they are copied.
   * @param known all keys of the server
   */
  usable(known: readonly KeyView[] = [], workflowId?: string): CreatedKey | undefined {
    const isWorking = (id: string): boolean => known.some((key) => key.id === id && key.revokedAt === null);
    const opens = (workflows: readonly string[] | null): boolean =>
      workflows === null || (workflowId !== undefined && workflows.includes(workflowId));
    return this.#created.find(({ key }) => isWorking(key.id) && opens(key.workflows));
  }

  /** Removes the shown key from the keys to show, because the user has saved it. */
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
