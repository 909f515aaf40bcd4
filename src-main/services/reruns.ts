// New runs over the rows of old ones, with the workflow as it is now. Who calls: RunService.
import { nothingToRepeat, rerunTooEarly, workflowNotFound } from '../domain/errors.ts';
import { isFinal } from '../domain/run/run-status.ts';
import type { Run, RunOrigin } from '../domain/run/run.ts';
import type { RunStore } from '../storage/run-store.ts';
import { readEditedRows, type EditedRows } from './edited-rows.ts';
import { rowsWithoutOutput, type RowPiece } from './rerun-rows.ts';
import type { RunDraft } from './run-draft.ts';
import type { LoadedWorkflow, WorkflowService } from './workflow-service.ts';

/** All rows, those that have no output, or rows given in their place. */
export type RerunRows = 'all' | 'failed' | EditedRows;

export type RerunOrder = { readonly run: Run; readonly rows: RerunRows; readonly origin: RunOrigin };

export type RerunParts = {
  readonly store: RunStore;
  readonly workflows: WorkflowService;
  readonly begin: (wanted: {
    workflow: LoadedWorkflow;
    origin: RunOrigin;
    repeats: Run;
  }) => Promise<RunDraft>;
};

/** Throws `workflow_not_found`, `invalid_input` when there is nothing to repeat, and whatever beginning a run throws. */
export async function rerun(
  { store, workflows, begin }: RerunParts,
  { run, rows, origin }: RerunOrder,
): Promise<Run> {
  // Its failed rows are not known before.
  if (rows === 'failed' && !isFinal(run.status)) throw rerunTooEarly(run.status);
  const workflow = await workflows.find(run.workflowId);
  if (workflow === undefined) throw workflowNotFound();
  // Refused before anything is begun.
  const pieces = rowsOf(store, run, rows);
  const draft = await begin({ workflow, origin, repeats: run });
  return draft.acceptAll(pieces, (count) => {
    if (count === 0) throw nothingToRepeat();
  });
}

function rowsOf(store: RunStore, run: Run, rows: RerunRows): AsyncIterable<RowPiece> | Iterable<RowPiece> {
  if (rows === 'all') return store.readRows(run.runId);
  return rows === 'failed' ? rowsLeft(store, run) : readEditedRows(rows);
}

/** Of a completed run every row's line must be there: one that is lost is not one that failed. */
function rowsLeft(store: RunStore, { runId, rows, status }: Run): AsyncIterable<RowPiece> {
  const outputs = store.readOutputs(runId, status === 'completed' ? rows : undefined);
  return rowsWithoutOutput(store.readRows(runId), outputs);
}
