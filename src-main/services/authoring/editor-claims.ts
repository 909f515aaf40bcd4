// Which window edits a workflow: only its drafts are stored, so that two windows do not overwrite each other's. In memory
// only: after a restart the first window that asks edits. Who calls: the control API.
import type { Clock } from '../../base/clock.ts';
import { editedElsewhere } from '../../domain/workflow-errors.ts';

/** A window renews its claim every few seconds; a page in the background once a minute. In ms. */
const claimMs = 90_000;

type Claim = {
  readonly editor: string;
  readonly untilMs: number;
  /** True once the window has changed something since it has the claim. */
  readonly hasChanged: boolean;
};

export class EditorClaims {
  readonly #clock: Clock;
  readonly #claims = new Map<string, Claim>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * True if the window edits the workflow from now on; false if another one does.
   * @param takesOver also if another one does
   */
  claim(workflowId: string, editor: string, takesOver = false): boolean {
    if (!takesOver && this.#isOfAnother(workflowId, editor)) return false;
    const hasChanged =
      this.#live(workflowId)?.editor === editor && this.#live(workflowId)?.hasChanged === true;
    this.#claims.set(workflowId, { editor, untilMs: this.#clock.monotonic() + claimMs, hasChanged });
    return true;
  }

  /** The window has stopped editing. */
  release(workflowId: string, editor: string): void {
    if (this.#claims.get(workflowId)?.editor === editor) this.#claims.delete(workflowId);
  }

  /** Throws `invalid_input` if another window edits the workflow. */
  assertEditor(workflowId: string, editor: string): void {
    if (this.#isOfAnother(workflowId, editor)) throw editedElsewhere();
  }

  /** True for the first change of a window since it has the claim, and for each change of a window without one. */
  isFirstChange(workflowId: string, editor: string): boolean {
    const claim = this.#live(workflowId);
    if (claim?.editor !== editor || !claim.hasChanged) {
      if (claim?.editor === editor) this.#claims.set(workflowId, { ...claim, hasChanged: true });
      return true;
    }
    return false;
  }

  #isOfAnother(workflowId: string, editor: string): boolean {
    const claim = this.#live(workflowId);
    return claim !== undefined && claim.editor !== editor;
  }

  #live(workflowId: string): Claim | undefined {
    const claim = this.#claims.get(workflowId);
    return claim !== undefined && claim.untilMs > this.#clock.monotonic() ? claim : undefined;
  }
}
