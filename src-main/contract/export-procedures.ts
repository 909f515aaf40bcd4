// Exports of runs: the body of the download route, and the progress of an export.
import { z } from 'zod';
import type { RowSelection } from '../domain/query/row-selection.ts';
import { exportOptionsSchema, type ExportOptions } from '../domain/rows/export-options.ts';
import { procedure } from './procedure.ts';
import { rowSelection } from './row-selection-schema.ts';

const exportId = z.string().min(1).max(100);

/** Body of `POST /runs/<id>/export`, which answers with the file. */
export type ExportInput = {
  readonly options: ExportOptions;
  /** Exports only these rows. */
  readonly selection?: RowSelection | undefined;
  /** Chosen by the client, to ask for the progress. */
  readonly exportId?: string | undefined;
};
export const exportInput = z.strictObject({
  options: exportOptionsSchema,
  selection: rowSelection.optional(),
  exportId: exportId.optional(),
}) as z.ZodType<ExportInput>;

export type ExportProgressView = {
  /** `checking`: the rows are read for the first time, and nothing is written yet. */
  readonly phase: 'checking' | 'writing';
  readonly done: number;
  readonly total: number;
};

export const exportProcedures = {
  /** Null for an export that has ended, or has not begun. */
  'run.exportProgress': procedure<{ exportId: string }, ExportProgressView | null>(
    z.strictObject({ exportId }),
  ),
};
