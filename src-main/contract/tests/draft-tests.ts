// The tests of a workflow while it is edited: they run with the texts of the editor.
import { z } from 'zod';
import { profileName } from '../procedure.ts';
import { lookupText } from '../../domain/lookup-text.ts';

export const draftTestsInput = z.strictObject({
  /** True: the tests have the time that a run of saved tests has. Default: a few seconds, at low priority. */
  isPatient: z.boolean().optional(),
  /** A profile by its name; absent: the defaults of the file. */
  profile: profileName.optional(),
});
export const draftTestRowsInput = z.strictObject({
  /** Name of the tests file. */
  name: lookupText.min(1).max(200),
  /** Line of the test. */
  line: z.number().int().min(1).max(10_000_000),
  /** A row of the test that has to be among those of the answer, from 1. */
  row: z.number().int().min(1).max(100_000_000).optional(),
});
