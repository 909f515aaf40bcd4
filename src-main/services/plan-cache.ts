// Plans by the hash of the workflow text and the mocks chosen, so that many small runs of one workflow parse and plan it once.
import { workflowSnapshotLost } from '../domain/errors.ts';
import { parseWorkflow } from '../domain/workflow/parse-workflow.ts';
import { mocksOf, type MockInputs } from '../domain/workflow/choose-mocks.ts';
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
  add(hash: string, workflow: Workflow, inputs: MockInputs): void {
    const key = keyOf(hash, inputs);
    if (!this.#plans.has(key)) this.#keep(key, planRun(workflow, mocksOf(workflow, inputs)));
  }

  /** The plan of the text that a run was accepted with. Throws `workflow_invalid` when its snapshot is lost. */
  async get(hash: string, inputs: MockInputs): Promise<Plan> {
    const key = keyOf(hash, inputs);
    const known = this.#plans.get(key);
    if (known !== undefined) return known;
    const source = await this.#snapshots.get(hash);
    const { workflow } = source === undefined ? {} : parseWorkflow(source);
    if (workflow === undefined) throw workflowSnapshotLost();
    const plan = planRun(workflow, mocksOf(workflow, inputs));
    this.#keep(key, plan);
    return plan;
  }

  #keep(key: string, plan: Plan): void {
    const oldest = this.#plans.keys().next();
    if (this.#plans.size >= mostPlans && !oldest.done) this.#plans.delete(oldest.value);
    this.#plans.set(key, plan);
  }
}

const keyOf = (hash: string, { mocks = {}, mode }: MockInputs): string =>
  JSON.stringify([
    hash,
    mode === 'mocks',
    Object.entries(mocks).sort(([one], [other]) => (one < other ? -1 : 1)),
  ]);
