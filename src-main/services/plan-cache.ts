// Plans by the hash of the workflow text and the mocks chosen, so that many small runs of one workflow parse and plan it once.
import { workflowSnapshotLost } from '../domain/errors.ts';
import { parseWorkflow } from '../domain/workflow/parse-workflow.ts';
import type { MockChoice } from '../domain/workflow/choose-mocks.ts';
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

  /** Notes the plan of a workflow that was just validated. Throws `invalid_input` for mocks that it does not have. */
  add(hash: string, workflow: Workflow, mocks: MockChoice = {}): void {
    const key = keyOf(hash, mocks);
    if (!this.#plans.has(key)) this.#keep(key, planRun(workflow, mocks));
  }

  /** The plan of the text that a run was accepted with. Throws `workflow_invalid` when its snapshot is lost. */
  async get(hash: string, mocks: MockChoice = {}): Promise<Plan> {
    const key = keyOf(hash, mocks);
    const known = this.#plans.get(key);
    if (known !== undefined) return known;
    const source = await this.#snapshots.get(hash);
    const { workflow } = source === undefined ? {} : parseWorkflow(source);
    if (workflow === undefined) throw workflowSnapshotLost();
    const plan = planRun(workflow, mocks);
    this.#keep(key, plan);
    return plan;
  }

  #keep(key: string, plan: Plan): void {
    const oldest = this.#plans.keys().next();
    if (this.#plans.size >= mostPlans && !oldest.done) this.#plans.delete(oldest.value);
    this.#plans.set(key, plan);
  }
}

const keyOf = (hash: string, mocks: MockChoice): string =>
  `${hash} ${JSON.stringify(Object.entries(mocks).sort(([one], [other]) => (one < other ? -1 : 1)))}`;
