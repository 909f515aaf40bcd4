// Editing of one workflow's file: whether it is edited, and the draft that is offered before. A draft is never applied
// by itself.
import { counted, type EditedFileView, type OpenedWorkflowView } from '#contract';
import type { Session } from '../../live/session.svelte.ts';
import { changedLines } from './changed-lines.ts';
import { noDiskText } from './editor-file.svelte.ts';
import { EditorClaim } from './editor-claim.svelte.ts';
import { EditorSession } from './editor-session.svelte.ts';

type DraftOffer = {
  readonly at: string;
  /** How the draft differs from the file, as a sentence without its end. */
  readonly difference: string;
};

export class WorkflowEditing {
  readonly #call: Session['call'];
  readonly #workflowId: string;
  #session = $state.raw<EditorSession>();
  #offer = $state.raw<DraftOffer>();
  #refusal = $state<string>();
  #hasLeft = false;

  constructor(call: Session['call'], workflowId: string) {
    this.#call = call;
    this.#workflowId = workflowId;
  }

  /** Undefined while the file is only shown. */
  get session(): EditorSession | undefined {
    return this.#session;
  }

  /** The draft that the user can continue or discard. */
  get offer(): DraftOffer | undefined {
    return this.#offer;
  }

  /** Why the file cannot be edited here; known once the user has tried. */
  get refusal(): string | undefined {
    return this.#refusal;
  }

  /** Offers the draft, if there is one. Never rejects: a draft that cannot be read now is offered the next time. */
  async findDraft(): Promise<void> {
    try {
      const drafts = await this.#call('author.drafts', {});
      const hasDraft = drafts.some(({ workflowId }) => workflowId === this.#workflowId);
      if (hasDraft && this.#session === undefined) this.#offer = offerOf(await this.#open());
    } catch {
      // The screen says already that the server does not answer.
    }
  }

  /** Begins to edit, unless there is a draft: then the user has to choose first. */
  async start(): Promise<void> {
    const opened = await this.#open();
    this.#refusal = opened.refusal;
    if (opened.refusal !== undefined) return;
    const claim = await this.#claim();
    // The draft of another window is shown at once: this window cannot discard it.
    this.#offer = claim.isElsewhere ? undefined : offerOf(opened);
    if (this.#offer === undefined) this.#begin(opened, claim);
    else await claim.release();
  }

  async continueDraft(): Promise<void> {
    const opened = await this.#open();
    this.#refusal = opened.refusal;
    if (opened.refusal === undefined) this.#begin(opened, await this.#claim());
  }

  /** Resolves to the files of the draft, for `restoreDraft`. */
  async discardDraft(): Promise<readonly EditedFileView[]> {
    const { draft } = await this.#open();
    const claim = await this.#claim();
    await this.#call('author.drop', { workflowId: this.#workflowId, editor: claim.editor });
    await claim.release();
    this.#offer = undefined;
    return draft?.files ?? [];
  }

  async restoreDraft(files: readonly EditedFileView[]): Promise<void> {
    const { editor } = new EditorClaim(this.#call, this.#workflowId);
    const window = { workflowId: this.#workflowId, editor };
    await this.#call('author.change', { ...window, version: 1, base: null, files, stores: 'now' });
    await this.#call('author.release', window);
    await this.findDraft();
  }

  /** Shows the file again; the draft is offered. */
  async close(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    await session?.close();
    await this.findDraft();
  }

  /** Stores the draft when the user leaves the page. */
  leave(): void {
    this.#hasLeft = true;
    void this.#session?.close();
  }

  #open(): Promise<OpenedWorkflowView> {
    return this.#call('author.open', { workflowId: this.#workflowId });
  }

  async #claim(): Promise<EditorClaim> {
    const claim = new EditorClaim(this.#call, this.#workflowId);
    await claim.request();
    return claim;
  }

  #begin(opened: OpenedWorkflowView, claim: EditorClaim): void {
    this.#offer = undefined;
    if (this.#hasLeft || this.#session !== undefined) return;
    this.#session = new EditorSession({ call: this.#call, workflowId: this.#workflowId, opened, claim });
  }
}

function offerOf({ draft, files }: OpenedWorkflowView): DraftOffer | undefined {
  if (draft === undefined) return undefined;
  const changes = draft.files.map(({ name, baseHash, text }) => {
    const { text: savedText, hash } = files.find((file) => file.name === name) ?? noDiskText;
    return { lines: changedLines(savedText, text), isOutdated: hash !== baseHash };
  });
  const lines = counted(
    changes.reduce((sum, change) => sum + change.lines, 0),
    'changed line',
  );
  const inFiles = changes.length > 1 ? ` in ${changes.length} files` : '';
  const outdated = changes.some(({ isOutdated }) => isOutdated) ? '. The file has changed since' : '';
  return { at: draft.at, difference: `${lines}${inFiles}${outdated}` };
}
