import { z } from 'zod';
import type { KeptRunView } from './kept-run-view.ts';
import { nothing, procedure, type Nothing } from './procedure.ts';
import {
  bulkInput,
  keptRunInput,
  rerunInput,
  runId,
  runListInput,
  type BulkInput,
  type KeptRunInput,
  type RerunInput,
  type RunListInput,
  rowInput,
  type RowInput,
} from './run-inputs.ts';
import {
  rowPlaceInput,
  rowsInput,
  runStripInput,
  type RowPlaceInput,
  type RowsInput,
  type RunStripInput,
} from './row-inputs.ts';
import type { RowPlaceView, RunRowsView, RunStripView } from './row-views.ts';
import type { FreshTraceView, RunNodesView, TraceView } from './trace-views.ts';
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
  'run.rows': procedure<RowsInput, RunRowsView>(rowsInput),
  /** All rows of the run at once, as counts and as a strip. */
  'run.strip': procedure<RunStripInput, RunStripView>(runStripInput),
  /** Where a row is, or the next one that fits; null where none fits. */
  'run.rowPlace': procedure<RowPlaceInput, RowPlaceView | null>(rowPlaceInput),
  /** Rows of a run that has ended with what came of them, for a test. */
  'run.kept': procedure<KeptRunInput, KeptRunView>(keptRunInput),
  'run.pause': procedure<{ runId: string }, RunView>(oneRun),
  'run.resume': procedure<{ runId: string }, RunView>(oneRun),
  'run.cancel': procedure<{ runId: string }, RunView>(oneRun),
  'run.rerun': procedure<RerunInput, RunView>(rerunInput),
  /** One verb on every run that fits; what changed meanwhile is no error. */
  'run.bulk': procedure<BulkInput, BulkView>(bulkInput),
};
