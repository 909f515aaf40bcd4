// How the file was read that a run has its rows of: stored with the run, so that the same file can be read alike again.
import { z } from 'zod';
import { lookupText } from '../lookup-text.ts';
import { maxReadText } from './stored-reading.ts';

export const readAsSchema = z.object({
  /** Name of the file, without its folders. */
  file: lookupText.max(255),
  /** The options with which the file is read alike, in their written form (`parseReadOptions`). */
  options: z.record(lookupText.max(20), z.union([z.string().max(300), z.boolean()])),
  /** One line about the decisions and about lines that were left out; absent: none. */
  text: z.string().max(maxReadText).exactOptional(),
});
export type ReadAs = z.infer<typeof readAsSchema>;
