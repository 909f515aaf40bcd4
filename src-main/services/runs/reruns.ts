// New runs over the rows of old ones, with the workflow as it is now. Who calls: RunService.
import { nothingToRepeat, rerunNodeUnknown, rerunTooEarly } from '../../domain/run-errors.ts';
import { workflowNotFound } from '../../domain/workflow-errors.ts';
import { isFinal } from '../../domain/run/run-status.ts';
import type { RunPart } from '../../domain/run/chain.ts';
import type { ReadAs } from '../../domain/run/read-as.ts';
import type { Run, RunOrigin } from '../../domain/run/run.ts';
import { reusableNodes } from '../../executor/reusable-nodes.ts';
import type { EditedRows, RowLines } from '../../domain/run/row-numbers.ts';
import type { ArrivingRows } from '../../domain/run/stored-run.ts';
import type { RunReading, RunRecords } from '../ports.ts';
import { readEditedRows } from './edited-rows.ts';
import { withReusedValues } from './reused-values.ts';
import type { PlanCache } from './plan-cache.ts';
import { rowsWithoutOutput } from './rerun-rows.ts';
import { assertInChain } from './row-position.ts';
import { inputsOf, type NewRun, type RunInputs } from './new-run.ts';
import type { LoadedWorkflow, WorkflowService } from '../workflows/workflow-service.ts';
import { readOutputsOf } from './run-outputs.ts';

/** All rows, or those that have no output. */
type OwnRows = 'all' | 'failed';
/** Rows of the run that the caller has chosen, with their numbers, which rise. */
type ChosenRows = {
  readonly chosen: AsyncIterable<RowLines>;
  /** They are the rows that the run, a sample, left out. */
  readonly isRest?: true;
};
/** Values of nodes before that one are reused where the run's trace has kept them. */
type RerunFrom = { readonly rows: OwnRows | ChosenRows; readonly from: string };

export type RerunWhat = OwnRows | ChosenRows | EditedRows | RerunFrom;

export type RerunOrder = {
  readonly run: Run;
  readonly what: RerunWhat;
  readonly origin: RunOrigin;
  /** Inputs in place of the run's own. */
  readonly changes: RunInputs;
};

export type RerunDeps = {
  readonly store: RunReading & Pick<RunRecords, 'find' | 'attemptsOf'>;
  readonly workflows: WorkflowService;
  readonly plans: PlanCache;
  readonly begin: (request: {
    workflow: LoadedWorkflow;
    origin: RunOrigin;
    repeats: Run;
    inputs: RunInputs;
    from?: string;
    isRest?: true;
    part?: RunPart | undefined;
    readAs?: ReadAs | undefined;
  }) => Promise<NewRun>;
};

/**
 * Throws `workflow_not_found`, `invalid_input` when there is nothing to repeat, no such node or no such row, and whatever beginning
 * a run throws.
 */
export async function rerun(deps: RerunDeps, order: RerunOrder): Promise<Run> {
  const { run, what, origin, changes } = order;
  const { store, workflows, begin } = deps;
  const from = typeof what === 'object' && 'from' in what ? what.from : undefined;
  // Refused before anything is begun.
  const rows = rowsOf(store, run, what);
  if (typeof what === 'object' && 'lines' in what) await assertInChain(store, run, what.numbers ?? []);
  const workflow = await workflows.find(run.workflowId);
  if (workflow === undefined) throw workflowNotFound();
  const request = {
    workflow,
    origin,
    repeats: run,
    inputs: { ...inputsOf(run), ...changes },
    readAs: readAsOf(run, what),
    part: partOf(what),
    ...(typeof what === 'object' && 'isRest' in what ? { isRest: true as const } : {}),
  };
  if (from === undefined) return acceptSome(await begin(request), order, rows);
  if (workflow.workflow?.nodes.some(({ id }) => id === from) === false)
    throw rerunNodeUnknown(run.workflowId, from);
  const newRun = await begin({ ...request, from });
  return acceptSome(newRun, order, reusingValues(deps, { run, rows, newRun, from }));
}

function partOf(what: RerunWhat): RunPart | undefined {
  if (typeof what === 'object' && 'lines' in what) return 'edited';
  const rows = typeof what === 'object' && 'from' in what ? what.rows : what;
  if (typeof rows === 'object') return rows.isRest === true ? 'rest' : 'rows';
  return rows === 'failed' ? 'open' : undefined;
}

/** The run's own rows come from its file. */
const readAsOf = (run: Run, what: RerunWhat): ReadAs | undefined =>
  typeof what === 'object' && 'lines' in what ? what.readAs : run.readAs;

function acceptSome(
  newRun: NewRun,
  { run: { sample }, what }: Pick<RerunOrder, 'run' | 'what'>,
  rows: AsyncIterable<ArrivingRows>,
): Promise<Run> {
  if (!isWithoutNumbers(what)) newRun.keepNumbers();
  // All rows of a sample again are a sample of the same rows.
  if (partOf(what) === undefined && sample !== undefined) newRun.setSample(sample);
  return newRun.acceptAll(rows, (count) => {
    if (count === 0) throw nothingToRepeat();
  });
}

const isWithoutNumbers = (what: RerunWhat): boolean =>
  typeof what === 'object' && 'lines' in what && what.numbers === undefined;

type Reusing = {
  readonly run: Run;
  readonly rows: AsyncIterable<RowLines>;
  readonly newRun: NewRun;
  readonly from: string;
};

async function* reusingValues(
  { store, plans }: RerunDeps,
  { run, rows, newRun, from }: Reusing,
): AsyncGenerator<ArrivingRows> {
  const before = await plans.get(run);
  const now = await plans.get(newRun.accepted);
  const nodeIds = reusableNodes(before, now, from);
  const traces = store.readTraces(run.runId, 1, Infinity);
  yield* nodeIds.length === 0 ? rows : withReusedValues(rows, traces, { before, now, nodeIds });
}

function rowsOf(store: RunReading, run: Run, what: RerunWhat): AsyncIterable<RowLines> {
  if (typeof what === 'object' && 'lines' in what) return readEditedRows(what);
  const rows = typeof what === 'object' && 'from' in what ? what.rows : what;
  return typeof rows === 'object' ? rows.chosen : ownRows(store, run, rows);
}

/** A run's rows as it was given them, or those of them without an output. Throws `move_not_allowed`. */
export function ownRows(store: RunReading, run: Run, which: OwnRows): AsyncIterable<RowLines> {
  if (which === 'all') return store.readRows(run.runId);
  // Its failed rows are not known before.
  if (!isFinal(run.status)) throw rerunTooEarly(run.status);
  return rowsWithoutOutput(store.readRows(run.runId), readOutputsOf(store, run));
}
