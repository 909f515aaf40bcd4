import { z } from 'zod';
import type { JsonValue } from '../../base/json-value.ts';

/** A set of values for the variables of workflows, as a run stores it. */
export const profileSchema = z.object({
  name: z.string(),
  /** Values by the name of the variable. Those that a workflow does not have do not concern it. */
  vars: z.record(z.string(), z.custom<JsonValue>()),
  /** Names of stored secrets, by the names that workflows use. */
  secrets: z.record(z.string(), z.string()),
});
export type Profile = z.infer<typeof profileSchema>;
