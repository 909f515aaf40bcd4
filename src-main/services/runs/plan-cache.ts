// Caches plans by the hashes of their texts and the mocks chosen. Many small runs of one workflow are then parsed and
// planned only once.
import { LruMap } from '../../base/lru-map.ts';
import { workflowSnapshotLost } from '../../domain/workflow-errors.ts';
import type { Run, SourceRef } from '../../domain/run/run.ts';
import type { LoadedDependencies, CalledWorkflow } from '../../domain/sources/needs.ts';
import { readTableInSteps, type Table } from '../../domain/sources/table.ts';
import type { Workflow } from '../../domain/workflow/workflow.ts';
import type { Plan } from '../../executor/plan.ts';
import { planRun } from '../../executor/plan-run.ts';
import { runInPieces } from '../../base/event-loop-yield.ts';
import { parserInProcess, type FileParser } from '../workflows/file-parser.ts';
import type { Snapshots } from '../ports.ts';

/** More workflows than a user edits at once; a plan without tables is small. */
const maxPlans = 64;
/** Maximum characters of tables in all cached plans. */
const maxTableSize = 20_000_000;

/** The fields of an accepted run that determine its plan. */
export type Accepted = Pick<Run, 'workflowHash' | 'sources' | 'mocks' | 'mode'>;

export class PlanCache {
  readonly #snapshots: Pick<Snapshots, 'get'>;
  readonly #parser: Pick<FileParser, 'workflow'>;
  readonly #plans = new LruMap<string, Plan>({
    maxEntries: maxPlans,
    maxSize: maxTableSize,
    sizeOf: tableSizeOf,
  });

  constructor(snapshots: Pick<Snapshots, 'get'>, parser: Pick<FileParser, 'workflow'> = parserInProcess) {
    this.#snapshots = snapshots;
    this.#parser = parser;
  }

  /** Notes the plan of a workflow that was just validated. Throws `invalid_input` for mocks that it does not have. */
  addValidated(accepted: Accepted, workflow: Workflow, dependencies: LoadedDependencies): void {
    const key = keyOf(accepted);
    if (!this.#plans.has(key)) this.#plans.set(key, planRun(workflow, accepted, dependencies));
  }

  /** The plan of the texts that a run was accepted with. Throws `workflow_invalid` when a snapshot is lost. */
  async get(accepted: Accepted): Promise<Plan> {
    const key = keyOf(accepted);
    const known = this.#plans.get(key);
    if (known !== undefined) return known;
    const workflow = await this.#workflow(accepted.workflowHash);
    const dependencies = await this.#dependencies(workflow.id, accepted.sources);
    const plan = planRun(workflow, accepted, dependencies);
    this.#plans.set(key, plan);
    return plan;
  }

  async #dependencies(workflowId: string, sources: Accepted['sources'] = []): Promise<LoadedDependencies> {
    const workflows: CalledWorkflow[] = [];
    for (const source of sources) {
      if (source.table !== undefined) continue;
      const workflow = await this.#workflow(source.hash);
      workflows.push({ workflow, tables: await this.#tables(workflow.id, sources) });
    }
    return { tables: await this.#tables(workflowId, sources), workflows };
  }

  async #workflow(hash: string): Promise<Workflow> {
    const { workflow } = await this.#parser.workflow(await this.#text(hash));
    if (workflow === undefined) throw workflowSnapshotLost();
    return workflow;
  }

  async #tables(ofWorkflow: string, sources: readonly SourceRef[]): Promise<Table[]> {
    const tables: Table[] = [];
    for (const { workflowId, table, hash } of sources)
      if (table !== undefined && workflowId === ofWorkflow)
        tables.push(await runInPieces(readTableInSteps(table, await this.#text(hash))));
    return tables;
  }

  async #text(hash: string): Promise<string> {
    const text = await this.#snapshots.get(hash);
    if (text === undefined) throw workflowSnapshotLost();
    return text;
  }
}

const tableSizeOf = (plan: Plan): number =>
  [plan, ...plan.workflows].flatMap(({ tables }) => tables).reduce((sum, { lines }) => sum + lines.length, 0);

const keyOf = ({ workflowHash, sources = [], mocks = {}, mode }: Accepted): string =>
  JSON.stringify([
    workflowHash,
    sources.map(({ workflowId, table, hash }) => [workflowId, table, hash]),
    mode === 'mocks',
    Object.entries(mocks).sort(([one], [other]) => (one < other ? -1 : 1)),
  ]);
