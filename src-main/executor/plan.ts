// The plan of a run, as it is sent to row workers.
import type { ReadAs } from '../domain/run/read-as.ts';
import type { Scenario } from '../domain/scenarios/scenario.ts';
import type { JsonValue } from '../base/json-value.ts';
import type { RowChecks } from '../domain/tests/check-row.ts';
import type { ActionKind } from '../domain/nodes/node-type.ts';
import type { Table } from '../domain/sources/table.ts';
import type { ChosenMocks } from '../domain/workflow/choose-mocks.ts';
import type { WorkflowNode } from '../domain/workflow/workflow.ts';

/** A node with facts of its type: row workers do not load the catalogue of types, whose schemas they do not need. */
export type PlanNode = WorkflowNode & {
  readonly action: ActionKind | undefined;
  readonly isBarrier: boolean;
};

/** The plan of one workflow, or of one body. A node with a body calls it like a workflow: `config.workflow` is its id. */
export type PlanPart = {
  readonly workflowId: string;
  /** The value of each variable, by name. */
  readonly vars: readonly (readonly [name: string, value: JsonValue])[];
  /** Nodes in an order in which each follows all nodes that it reads or waits for; file order breaks ties. */
  readonly nodes: readonly PlanNode[];
  /** Nodes that answer from a mock instead of running, whatever their type. */
  readonly mocks: ChosenMocks;
  /** Tables in which its nodes look up records. */
  readonly tables: readonly Table[];
  /** The workflow checks outputs of a test; see `worker/nodes/row-checks.ts`. Absent for every other workflow. */
  readonly rowChecks?: RowChecks;
};

/** The part that a node of the plan calls; undefined for a node that calls none, or answers from a mock. */
export const calledPart = (
  node: WorkflowNode,
  { workflows }: Pick<Plan, 'workflows'>,
): PlanPart | undefined =>
  node.type === 'workflow'
    ? workflows.find(({ workflowId }) => workflowId === node.config.workflow)
    : undefined;

/** Method of the request for a workflow that rows share. Its URL is the id of the part, its body the row. */
export const workflowMethod = 'workflow';
/** Maximum bytes of the row and of the output of a workflow that rows share: as many as other calls send and get. */
export const maxSharedBytes = 10_000_000;

/** True for a node whose workflow runs once for equal rows. */
export const sharesWorkflow = (node: WorkflowNode): boolean =>
  node.type === 'workflow' && node.config.share !== undefined;

export type Plan = PlanPart & {
  /** Bodies, and workflows that its nodes call, directly or through others; each is listed once. */
  readonly workflows: readonly PlanPart[];
  readonly concurrency: number;
  readonly onRowError: 'fail' | 'skip';
  readonly tokenBudget?: number;
  readonly onBudget?: 'pause' | 'fail';
  /** True if a row can wait for something outside its own computing (a delay, a retry's pause, a call). */
  readonly mayWait: boolean;
  /** True if a row can call something outside this program. */
  readonly reachesOut: boolean;
};

/** True if no row waits, and nodes evaluate expressions only, or look up records: a row then usually takes microseconds. */
export const hasQuickRows = ({ mayWait, nodes, workflows }: Plan): boolean =>
  !mayWait &&
  ![nodes, ...workflows.map((called) => called.nodes)].flat().some(({ action }) => action === 'code');

/** Seeds that make a run repeatable: one for random numbers, one for the clock that expressions see. */
export type RunSeed = {
  /** 32-bit unsigned. */
  readonly random: number;
  /** Milliseconds since 1970; `Date.now()` and `new Date()` stand still at it. */
  readonly time: number;
};

/** Effects of a run's scenario on its rows, and how their numbers were read. */
export type RowScenario = {
  /** Number of the row that fails in the first node after the input, even if that node has `onError`. */
  readonly failRow?: number;
  /** Wait of each row before its first node, in ms. */
  readonly slowMs?: number;
  /** The mark before decimals with which a file was read; absent: none was decided. */
  readonly decimal?: '.' | ',';
};

/** The effects of a run's scenario on single rows, and how their numbers were read. */
export function rowScenarioOf({
  scenario = {},
  readAs,
}: {
  readonly scenario?: Scenario | undefined;
  readonly readAs?: ReadAs | undefined;
}): RowScenario {
  const { 'fail-row': failRow, slow: slowMs } = scenario;
  const decimal = readAs?.options['decimal'];
  return {
    ...(failRow === undefined ? {} : { failRow }),
    ...(slowMs === undefined ? {} : { slowMs }),
    ...(decimal === '.' || decimal === ',' ? { decimal } : {}),
  };
}

/** Midnight of 1 January 2026 (UTC): what `new Date()` gives in the rows of tests and previews. */
export const fixedSeed: RunSeed = { random: 1, time: Date.UTC(2026, 0, 1) };
