// Plans by the hash of the workflow text, so that many small runs of one workflow parse and plan it once.
import { workflowSnapshotLost } from '../domain/errors.ts';
import { parseWorkflow } from '../domain/workflow/parse-workflow.ts';
import type { Workflow } from '../domain/workflow/workflow.ts';
import type { Plan } from '../executor/plan.ts';
import { planRun } from '../executor/plan-run.ts';
import type { SnapshotStore } from '../storage/snapshot-store.ts';

/** More workflows than anybody edits at once; a plan is small. */
const mostPlans = 64;

export class PlanCache {
  readonly #snapshots: SnapshotStore;
  readonly #plans = new Map<string, Plan>();

  constructor(snapshots: SnapshotStore) {
    this.#snapshots = snapshots;
  }

  /** Notes the plan of a workflow that was just validated. */
  add(hash: string, workflow: Workflow): void {
    if (!this.#plans.has(hash)) this.#keep(hash, planRun(workflow));
  }

  /** The plan of the text that a run was accepted with. Throws `workflow_invalid` when its snapshot is lost. */
  async get(hash: string): Promise<Plan> {
    const known = this.#plans.get(hash);
    if (known !== undefined) return known;
    const source = await this.#snapshots.get(hash);
    const { workflow } = source === undefined ? {} : parseWorkflow(source);
    if (workflow === undefined) throw workflowSnapshotLost();
    const plan = planRun(workflow);
    this.#keep(hash, plan);
    return plan;
  }

  #keep(hash: string, plan: Plan): void {
    const oldest = this.#plans.keys().next();
    if (this.#plans.size >= mostPlans && !oldest.done) this.#plans.delete(oldest.value);
    this.#plans.set(hash, plan);
  }
}
