// The draft on the server: stored at most a second after the last change, dropped once nothing is changed.
import { errorText, type EditedFileView } from '#contract';
import { Refresher } from '../refresher.ts';

type Draft = { readonly files: readonly EditedFileView[]; readonly at: string };

type StoredDraftDeps = {
  /** The files that are changed now. */
  readonly changed: () => readonly EditedFileView[];
  /** Stores the files in place of the draft, and resolves to its time; drops the draft if there are none. */
  readonly store: (files: readonly EditedFileView[]) => Promise<string>;
  /** False while another window stores the draft. */
  readonly canStore: () => boolean;
  /** Runs functions that send requests about the files, one after another. */
  readonly inOrder: <Result>(act: () => Promise<Result>) => Promise<Result>;
};

const storeEveryMs = 500;
const storeAgainAfterMs = 2_000;

export class StoredDraft {
  readonly #deps: StoredDraftDeps;
  readonly #storing = new Refresher(() => this.store(), storeEveryMs);
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;
  #stored = $state.raw<Draft>();
  #problem = $state<string>();

  constructor(deps: StoredDraftDeps, stored: Draft | undefined) {
    this.#deps = deps;
    this.#stored = stored;
  }

  /** When the draft was stored; undefined while the server does not have the files as they are. */
  get at(): string | undefined {
    return isSame(this.#stored?.files ?? [], this.#deps.changed()) ? this.#stored?.at : undefined;
  }

  /** Why the draft could not be stored; storing is tried again. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Records that the server has this draft, which another window stored. */
  follow(stored: Draft | undefined): void {
    this.#stored = stored;
  }

  /** Stores the draft soon. */
  refresh(): void {
    this.#storing.refresh();
  }

  /** Stores the draft for the last time. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#storing.close();
    clearTimeout(this.#retryTimer);
    await this.store();
  }

  /** Stores the draft now. Never rejects. */
  async store(): Promise<void> {
    try {
      await this.#deps.inOrder(async () => {
        const files = this.#deps.changed();
        if (!this.#deps.canStore() || isSame(this.#stored?.files ?? [], files)) return;
        this.#stored = { files, at: await this.#deps.store(files) };
      });
      this.#problem = undefined;
    } catch (error) {
      this.#problem = errorText(error);
      if (!this.#isClosed) this.#retryTimer = setTimeout(() => this.refresh(), storeAgainAfterMs);
    }
  }
}

const isSame = (some: readonly EditedFileView[], others: readonly EditedFileView[]): boolean =>
  some.length === others.length &&
  some.every(({ name, baseHash, text }, index) => {
    const other = others[index];
    return name === other?.name && baseHash === other.baseHash && text === other.text;
  });
