// Exports of runs: the body of the download route, and the progress of an export.
import { z } from 'zod';
import { answer, viewer, type ValueOf } from '../procedure.ts';
import { rowSelection } from './row-selection.ts';
import { lookupText } from '../../domain/lookup-text.ts';
import { exportOptionsSchema } from '../../domain/rows/export/export-options.ts';

const exportId = lookupText.min(1).max(100);

/** Body of `POST /runs/<id>/export`, which answers with the file. */
export const exportInput = z.strictObject({
  options: exportOptionsSchema,
  /** Exports only these rows. */
  selection: rowSelection.optional(),
  /** Chosen by the client, to ask for the progress. */
  exportId: exportId.optional(),
});
export type ExportInput = ValueOf<typeof exportInput>;

export type ExportProgressView = {
  /** `checking`: the rows are read for the first time, and nothing is written yet. `ended`: all rows are written. */
  readonly phase: 'checking' | 'writing' | 'ended';
  readonly done: number;
  readonly total: number;
  /** Lines that the file gets below its header; undefined while the rows are checked. */
  readonly lines?: number;
};

export const exportProcedures = {
  /** The last progress of an export; null if it has not begun, or ended long ago. */
  'run.exportProgress': viewer(z.strictObject({ exportId }), answer<ExportProgressView | null>),
};
