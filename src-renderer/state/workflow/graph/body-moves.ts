// Moves the body of a node into a workflow of its own, and back.
import { errorText } from '#contract';
import type { OutlineNodeView } from './graph-edits.ts';
import type { GraphEditRunner } from './graph-edit-runner.svelte.ts';

const changedMeanwhile = 'The text changed at the same moment; try again';

/** True for a node whose called workflow can become its body. */
export const callsWorkflow = ({ id, type, body }: OutlineNodeView): boolean =>
  type === 'workflow' && body === undefined && !id.includes('/');

export class BodyMoves {
  readonly #runner: GraphEditRunner;
  readonly #readyNode: () => OutlineNodeView | undefined;
  readonly #ask: (nodeId: string) => void;

  /**
   * @param readyNode the selected node, if the text can be edited
   * @param ask asks for the id of a new workflow
   */
  constructor(
    runner: GraphEditRunner,
    readyNode: () => OutlineNodeView | undefined,
    ask: (nodeId: string) => void,
  ) {
    this.#runner = runner;
    this.#readyNode = readyNode;
    this.#ask = ask;
  }

  /** Asks for the workflow that the body of the selected node becomes; or makes a body of the workflow that it calls. Other nodes stay. */
  async move(): Promise<void> {
    const node = this.#readyNode();
    if (node === undefined) return;
    if (node.body !== undefined) this.#ask(node.id);
    else if (callsWorkflow(node)) await this.#moveIn(node.id);
  }

  /**
   * Writes the file of the new workflow at once, then lets the node call it, in one step of undo. Resolves to why not.
   * Throws if the file cannot be written.
   */
  async moveOut(id: string, newId: string): Promise<string | undefined> {
    const { session, deps } = this.#runner;
    const plan = await session?.ask('moveBodyOut', { id, newId });
    if (plan === undefined) return changedMeanwhile;
    if (plan.refusal !== undefined) return plan.refusal.reason;
    const { folder, ...file } = plan.created;
    await deps.call('author.create', { workflowId: newId, folder, files: [file] });
    const refusal = await session?.applyPlan(async () => {
      const now = await session.ask('moveBodyOut', { id, newId });
      return now?.refusal !== undefined || now?.created.text === file.text
        ? now
        : now && { refusal: { reason: `${file.name} is saved, but its nodes have changed here`, line: 1 } };
    }, `Move the body of ${id} to ${newId}`);
    if (refusal !== undefined) return refusal.reason;
    this.#runner.select(id, `${id} calls ${newId}`);
    deps.toasts.done(`Saved ${file.name}`);
    return undefined;
  }

  /** Makes the nodes of the workflow that the node calls its body; the user sees why not. That file stays. */
  async #moveIn(id: string): Promise<void> {
    const { session } = this.#runner;
    let note: string | undefined;
    try {
      const refusal = await session?.applyPlan(async () => {
        const plan = await session.ask('moveBodyIn', { id });
        if (plan?.refusal === undefined && plan !== undefined && plan.unchecked.length > 0)
          note = `The body does not check what the input of ${plan.calledId} did: ${plan.unchecked.join('; ')}`;
        return plan;
      }, `Move the called workflow into ${id}`);
      if (refusal !== undefined) return this.#runner.reportProblem(refusal.reason);
      this.#runner.select(id, `${id} has a body of its own`);
      if (note !== undefined) this.#runner.reportProblem(note);
    } catch (error) {
      this.#runner.reportProblem(errorText(error));
    }
  }
}
