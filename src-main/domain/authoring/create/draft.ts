// Texts that a person has changed in the app and not saved yet.
import { z } from 'zod';

const draftFile = z.object({
  /** In the folder of the workflow. */
  name: z.string(),
  /** The file's text before the changes; null: a file that does not exist yet. */
  base: z.string().nullable(),
  text: z.string(),
});

export const draftSchema = z.object({
  version: z.literal(1),
  workflowId: z.string(),
  /** When it was last changed. */
  at: z.iso.datetime(),
  files: z.array(draftFile),
});

export type DraftFile = z.infer<typeof draftFile>;
/** The changed files of one workflow. */
export type Draft = z.infer<typeof draftSchema>;
