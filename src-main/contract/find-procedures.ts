// The search for a text in the rows and outputs of all runs.
import { z } from 'zod';
import type { Column } from '../domain/query/column.ts';
import { maxFindText, type FindCursor, type FindPage } from '../domain/query/find-values.ts';
import { procedure } from './procedure.ts';

/** Maximum hits of one call. */
const maxFindHits = 500;

const side = z.enum(['input', 'output']);

type FindInput = {
  readonly text: string;
  readonly workflowId?: string | undefined;
  readonly of?: Column['of'] | undefined;
  /** Where an earlier call stopped; absent: at the newest run. */
  readonly cursor?: FindCursor | undefined;
  readonly limit: number;
};
const findInput = z.strictObject({
  text: z.string().min(1, 'Type a text to search for').max(maxFindText),
  workflowId: z.string().max(200).optional(),
  of: side.optional(),
  cursor: z
    .strictObject({ runId: z.string().max(100), of: side, position: z.number().int().min(1).max(1e9) })
    .optional(),
  limit: z.number().int().min(1).max(maxFindHits),
}) as z.ZodType<FindInput>;

export const findProcedures = {
  /** Searches the values of all runs for a moment; `next` is where another call goes on. */
  'run.find': procedure<FindInput, FindPage>(findInput),
};
