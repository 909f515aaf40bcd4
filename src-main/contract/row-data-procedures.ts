import { z } from 'zod';
import { procedure } from './procedure.ts';
import { tableRowsInput, type TableRowsInput } from './query-procedures.ts';
import type { CausesView, NodeSourceView, RowValueView } from './row-data-views.ts';
import { runId } from './run-inputs.ts';

const number = z.number().int().min(1).max(100_000_000);

export type RowValueInput = {
  readonly runId: string;
  /** Its number. */
  readonly row: number;
  readonly of: 'input' | 'output';
  /** One of its fields; all of it without. */
  readonly field?: string | undefined;
};
const rowValueInput = z.strictObject({
  runId,
  row: number,
  of: z.enum(['input', 'output']),
  field: z.string().max(1_000).optional(),
}) as z.ZodType<RowValueInput>;

export type NodeSourceInput = {
  readonly runId: string;
  readonly nodeId: string;
  /** Message of a failure, so that the answer names the line at fault. */
  readonly message?: string | undefined;
};
const nodeSourceInput = z.strictObject({
  runId,
  nodeId: z.string().max(500),
  message: z.string().max(20_000).optional(),
}) as z.ZodType<NodeSourceInput>;

export const rowDataProcedures = {
  /** A row's value, or one of its fields, as far as a page takes it; null for a row without an output. */
  'run.value': procedure<RowValueInput, RowValueView | null>(rowValueInput),
  'run.causes': procedure<TableRowsInput, CausesView>(tableRowsInput),
  /** null for a node that the workflow's own file does not have. */
  'run.nodeSource': procedure<NodeSourceInput, NodeSourceView | null>(nodeSourceInput),
};
