// The claim of this window to edit a workflow. While another window has it, this one shows the other's draft, read-only.
// INVARIANT: a window may edit only once it shows the last draft of the window before it.
import { Mutex } from '#contract';
import type { Session } from '../../live/session.svelte.ts';

const renewEveryMs = 5_000;
/** While another window edits, in ms. */
const followEveryMs = 1_000;

export class EditorClaim {
  /** Id of this window; it survives a reload. */
  readonly editor = editorOfTab();
  readonly #call: Session['call'];
  readonly #workflowId: string;
  readonly #mutex = new Mutex();
  #follow: (() => Promise<void>) | undefined;
  #isElsewhere = $state(false);
  #isClosed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(call: Session['call'], workflowId: string) {
    this.#call = call;
    this.#workflowId = workflowId;
  }

  /** True while another window edits the workflow. */
  get isElsewhere(): boolean {
    return this.#isElsewhere;
  }

  /** @param takesOver also if another window edits */
  request(takesOver = false): Promise<void> {
    return this.#mutex.run(async () => {
      const { isEditor } = await this.#call('author.claim', {
        workflowId: this.#workflowId,
        editor: this.editor,
        takesOver,
      });
      this.#isElsewhere ||= !isEditor;
      if (this.#isElsewhere) await this.#follow?.();
      this.#isElsewhere = !isEditor;
    });
  }

  /**
   * Renews the claim from time to time.
   * @param follow shows the draft of the other window, each time while it edits and once more after that; must not reject
   */
  renew(follow: () => Promise<void>): void {
    this.#follow = follow;
    this.#renewLater();
  }

  #renewLater(): void {
    const next = async (): Promise<void> => {
      // While the server does not answer, the claim stays as it is.
      await this.request().catch(() => undefined);
      if (!this.#isClosed) this.#renewLater();
    };
    this.#timer = setTimeout(() => void next(), this.#isElsewhere ? followEveryMs : renewEveryMs);
  }

  /** Lets other windows edit. Never rejects: a claim that is not renewed ends by itself. */
  async release(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.suspend();
  }

  /** Lets other windows edit until this one renews its claim. Never rejects. */
  async suspend(): Promise<void> {
    const request = { workflowId: this.#workflowId, editor: this.editor };
    await this.#call('author.release', request).catch(() => undefined);
  }
}

const storageKey = 'rowbench.editor';

function editorOfTab(): string {
  const known = sessionStorage.getItem(storageKey);
  if (known !== null) return known;
  const [first = 0, second = 0] = crypto.getRandomValues(new Uint32Array(2));
  const editor = `${first.toString(36)}-${second.toString(36)}`;
  sessionStorage.setItem(storageKey, editor);
  return editor;
}
