// The state that retention keeps across restarts in `retention.json` in the data folder.
import { z } from 'zod';

const removedRuns = z.object({
  /** All runs that retention has removed from this data folder. */
  runs: z.number().int().positive(),
  /** When it last removed any, by the wall clock. */
  lastAt: z.iso.datetime(),
  /** The settings that the last removal followed; absent where it removed none for that one. */
  limits: z.object({
    days: z.number().int().positive().exactOptional(),
    gigabytes: z.number().positive().exactOptional(),
  }),
});

export const retentionFileSchema = z.object({
  version: z.literal(1),
  /** The retention clock when it was last saved, in ms. Absent: never. */
  clockMs: z.number().int().exactOptional(),
  removed: removedRuns.exactOptional(),
});
export type RetentionFile = z.infer<typeof retentionFileSchema>;

/** The runs that retention has removed so far. */
export type RemovedRuns = z.infer<typeof removedRuns>;
