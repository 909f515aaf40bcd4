// The compartments of the plan that a worker serves: its workflow's, and one for each workflow that its nodes call.
// They are created once for all runs of the plan, since that takes longer than a small run.
// INVARIANT: no workflow shares a compartment with another one, or with another version of itself.
import { invariant } from '../../base/invariant.ts';
import type { Plan } from '../plan.ts';
import { recordLog } from './row-run.ts';
import { Sandbox, type AuthorNames } from './sandbox.ts';

export class Sandboxes {
  #planText = '';
  #plan: Plan | undefined;
  readonly #byWorkflow = new Map<string, Sandbox>();

  /**
   * Call it before a run begins. Drops the sandboxes of another plan. Returns the plan, which callers must not change.
   * @param planText null: as before
   */
  usePlan(planText: string | null): Plan {
    const isKnown = planText === null || planText === this.#planText;
    if (this.#plan !== undefined && isKnown) return this.#plan;
    invariant(planText !== null, 'the first run of a worker brings its plan');
    this.#byWorkflow.clear();
    this.#plan = JSON.parse(planText) as Plan;
    this.#planText = planText;
    return this.#plan;
  }

  sandboxFor(workflowId: string, names: AuthorNames): Sandbox {
    const sandbox = this.#byWorkflow.get(workflowId) ?? new Sandbox(names, recordLog);
    this.#byWorkflow.set(workflowId, sandbox);
    return sandbox;
  }
}
