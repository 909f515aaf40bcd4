import { z } from 'zod';
import { longestRowSetName } from '../domain/rows/row-set.ts';
import { invisibleName, isVisible } from '../domain/visible-name.ts';
import { oneWorkflow, procedure } from './procedure.ts';
import type { RowEntryView, RowSetView } from './row-entry-views.ts';

const oneSet = z.strictObject({ id: z.uuid() });
/** As a person reads it: no line breaks or control characters, and one spelling of each letter. */
export const rowSetName = z
  .string()
  .normalize('NFC')
  .trim()
  .min(1, 'A row set has a name')
  .max(longestRowSetName)
  .regex(/^[^\p{Cc}]*$/u, 'A name has no control characters')
  .refine(isVisible, invisibleName);

export const rowProcedures = {
  'rows.entry': procedure<{ workflowId: string }, RowEntryView>(oneWorkflow),
  /** The workflow's row sets, by name. Their rows come and go as streams. */
  'rows.list': procedure<{ workflowId: string }, readonly RowSetView[]>(oneWorkflow),
  'rows.rename': procedure<{ id: string; name: string }, RowSetView>(oneSet.extend({ name: rowSetName })),
  'rows.remove': procedure<{ id: string }, RowSetView>(oneSet),
  /** Brings a set back that was removed since the server's start. */
  'rows.restore': procedure<{ id: string }, RowSetView>(oneSet),
  /** The rows that a user is preparing for the workflow; null if there are none. Its first row describes the others. */
  'rows.draft': procedure<{ workflowId: string }, RowSetView | null>(oneWorkflow),
  /** Removes that draft; does nothing if another has taken its place. */
  'rows.dropDraft': procedure<{ id: string }, null>(oneSet),
};
