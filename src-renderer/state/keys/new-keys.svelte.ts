// Keys that were created in this page, the dialog that creates them, and the one that the user wants to test.
import type { CreatedKey, KeyView } from '#contract';
import { UnsavedSecrets } from '../shell/unsaved-secrets.svelte.ts';

export class NewKeys extends UnsavedSecrets<CreatedKey> {
  #isCreating = $state(false);
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

  /** A saved key that the user wants to test. */
  get toTry(): string | undefined {
    return this.#toTry;
  }

  override add(created: CreatedKey): void {
    super.add(created);
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

  savedToTry(): void {
    this.#toTry = this.shown?.secret;
    this.saved();
  }

  tried(): void {
    this.#toTry = undefined;
  }
}
