// The compartments of the plan that a worker serves: its workflow's, and one for each workflow that its nodes call. They
// are made and filled once for all runs of the plan, since that takes longer than a small run.
// INVARIANT: no workflow meets the compartment of another one, nor that of another version of itself.
import { takeLog } from './row-run.ts';
import { Sandbox } from './sandbox.ts';

export class Sandboxes {
  #planText = '';
  readonly #byWorkflow = new Map<string, Sandbox>();

  /** To be called before a run begins. Drops those of another plan. */
  serve(planText: string): void {
    if (planText === this.#planText) return;
    this.#planText = planText;
    this.#byWorkflow.clear();
  }

  /** @param nodeIds of the workflow, in the plan's order */
  of(workflowId: string, nodeIds: readonly string[]): Sandbox {
    const sandbox = this.#byWorkflow.get(workflowId) ?? new Sandbox(nodeIds, takeLog);
    this.#byWorkflow.set(workflowId, sandbox);
    return sandbox;
  }
}
