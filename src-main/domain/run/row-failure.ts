import { z } from 'zod';

/** Why a row failed: data, not an exception. One line of `trace.ndjson`. */
export const rowFailureSchema = z.object({
  /** From 1, as people count. */
  row: z.number().int().positive(),
  nodeId: z.string(),
  message: z.string(),
  /** Attempts that the node was given. */
  attempts: z.number().int().positive(),
});
export type RowFailure = z.infer<typeof rowFailureSchema>;

/** How the failure reads in a run's `error`: it names the failed node and the cause, as the interface asks. */
export const describeFailure = (failure: RowFailure): string =>
  `Node "${failure.nodeId}" failed on row ${failure.row}: ${failure.message}`;
