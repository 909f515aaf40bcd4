// Rows that a user saves under a name, to run a workflow on them again; and drafts, which are the rows that a user is
// preparing in the app. A draft has no name. Its first row describes the others, and only the app reads it.
import { z } from 'zod';

export const longestRowSetName = 100;
/** Maximum row sets per workflow: a user can still read a list of that length. */
export const maxRowSets = 200;

/** Drafts that are older are removed. */
export const maxDraftAgeMs = 7 * 24 * 3_600_000;

/** Time for which a team keeps a set that was removed from the list. */
export const maxRemovedAgeMs = 24 * 3_600_000;

export const rowSetSchema = z.object({
  version: z.literal(1),
  id: z.uuid(),
  workflowId: z.string(),
  name: z.string(),
  rows: z.number().int().nonnegative(),
  bytes: z.number().int().nonnegative(),
  savedAt: z.iso.datetime(),
  /** Taken out of the list; it goes for good at the next start, or in a team after a day. */
  removed: z.literal(true).optional(),
  removedAt: z.iso.datetime().exactOptional(),
  draft: z.literal(true).optional(),
  /** The run that sampled the rows: the set is removed with it, and not in the list. */
  sampleOf: z.string().exactOptional(),
});
export type RowSet = z.infer<typeof rowSetSchema>;
