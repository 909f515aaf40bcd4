import { z } from 'zod';
import type { RunFixtureView } from './run-fixture-view.ts';
import { nothing, procedure, type Nothing } from './procedure.ts';
import {
  bulkInput,
  labelInput,
  runFixtureInput,
  rerunInput,
  runId,
  runListInput,
  type BulkInput,
  type LabelInput,
  type RunFixtureInput,
  type RerunInput,
  type RunListInput,
  nodeValuesInput,
  rowInput,
  type NodeValuesInput,
  type RowInput,
} from './run-inputs.ts';
import {
  rowLocationInput,
  rowsInput,
  runMinimapInput,
  type RowLocationInput,
  type RowsInput,
  type RunMinimapInput,
} from './row-inputs.ts';
import type { RowLocationView, NodeValuesView, RunRowsView, RunMinimapView } from './row-views.ts';
import type { FreshTraceView, RunNodesView, TraceView } from './trace-views.ts';
import type { SavedTestView } from './workflow-source.ts';
import type { BulkView, RemovedRunsView, RunDetail, RunView } from './views.ts';

const oneRun = z.strictObject({ runId });

export const runProcedures = {
  'run.list': procedure<RunListInput, readonly RunView[]>(runListInput),
  /** The runs that retention has removed from the data folder; null: none. */
  'run.removed': procedure<Nothing, RemovedRunsView | null>(nothing),
  'run.show': procedure<{ runId: string }, RunDetail>(oneRun),
  /** The row's stored trace; null where none is kept. */
  'run.trace': procedure<RowInput, TraceView | null>(rowInput),
  /** Runs the row once more to see all of its way; nothing stored changes. */
  'run.traceRow': procedure<RowInput, FreshTraceView>(rowInput),
  'run.nodes': procedure<{ runId: string }, RunNodesView>(oneRun),
  /** The beginning of values of nodes in those rows, in the order of the rows. */
  'run.nodeValues': procedure<NodeValuesInput, readonly NodeValuesView[]>(nodeValuesInput),
  'run.rows': procedure<RowsInput, RunRowsView>(rowsInput),
  /** All rows of the run at once, as counts and as a strip. */
  'run.minimap': procedure<RunMinimapInput, RunMinimapView>(runMinimapInput),
  /** Where a row is, or the next one that fits; null where none fits. */
  'run.rowLocation': procedure<RowLocationInput, RowLocationView | null>(rowLocationInput),
  /** Rows of a run that has ended with what came of them, for a test. */
  'run.fixture': procedure<RunFixtureInput, RunFixtureView>(runFixtureInput),
  /** Writes a test of a run that has ended beside its workflow, and runs it once. */
  'run.saveTest': procedure<RunFixtureInput, SavedTestView>(runFixtureInput),
  /** Changes the run's name, note, tags or pin. */
  'run.label': procedure<LabelInput, RunView>(labelInput),
  'run.pause': procedure<{ runId: string }, RunView>(oneRun),
  'run.resume': procedure<{ runId: string }, RunView>(oneRun),
  'run.cancel': procedure<{ runId: string }, RunView>(oneRun),
  'run.rerun': procedure<RerunInput, RunView>(rerunInput),
  /** One verb on every run that fits; what changed meanwhile is no error. */
  'run.bulk': procedure<BulkInput, BulkView>(bulkInput),
};
