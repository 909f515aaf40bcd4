// Editing of one workflow's files. They are opened with the page, and the stored draft with them; the first change of a
// text begins a new draft.
import type { Session } from '../../live/session.svelte.ts';
import { EditorClaim } from './editor-claim.svelte.ts';
import { EditorSession } from './editor-session.svelte.ts';
import { LanguageHelp } from './language-help.svelte.ts';
import { LivePreview } from '../preview/live-preview.svelte.ts';

/** The opened files with their help and their preview. */
export type OpenedEditor = {
  readonly session: EditorSession;
  readonly help: LanguageHelp;
  readonly preview: LivePreview;
};

export class WorkflowEditing {
  readonly #call: Session['call'];
  readonly #workflowId: string;
  #opened = $state.raw<OpenedEditor>();
  #refusal = $state<string>();
  #isOpening = false;
  #hasLeft = false;

  constructor(call: Session['call'], workflowId: string) {
    this.#call = call;
    this.#workflowId = workflowId;
  }

  /** Undefined until the files are open, and while they can only be read. */
  get opened(): OpenedEditor | undefined {
    return this.#opened;
  }

  /** Why the file cannot be edited here. */
  get refusal(): string | undefined {
    return this.#refusal;
  }

  /** Opens the files, unless they are open. Never rejects: it is called again when the server answers again. */
  async open(): Promise<void> {
    if (this.#isOpening || this.#opened !== undefined) return;
    this.#isOpening = true;
    try {
      await this.#open();
    } catch {
      // The page says already that the server does not answer.
    } finally {
      this.#isOpening = false;
    }
  }

  /** Stores the draft when the user leaves the page. */
  leave(): void {
    this.#hasLeft = true;
    this.#opened?.preview.close();
    void this.#opened?.session.close();
  }

  async #open(): Promise<void> {
    const [call, workflowId] = [this.#call, this.#workflowId];
    const claim = new EditorClaim(call, workflowId);
    await claim.request();
    const opened = await call('author.open', { workflowId });
    this.#refusal = opened.refusal;
    if (opened.refusal !== undefined || this.#hasLeft) return claim.release();
    const session = new EditorSession({ call, workflowId, opened, claim });
    this.#opened = {
      session,
      help: new LanguageHelp(call, session),
      preview: new LivePreview({ call, workflowId, ask: (name, input) => session.ask(name, input) }),
    };
  }
}
