// Help with writing workflow files: quick fixes.
import { z } from 'zod';
import type { FixedIssue } from '../domain/language/quick-fixes.ts';
import { maxEditedCharacters } from './author-procedures.ts';
import { oneWorkflow, procedure } from './procedure.ts';

export type { FixedIssue };

type TextInput = { workflowId: string; text: string };
const text = oneWorkflow.extend({ text: z.string().max(maxEditedCharacters) });

export const languageProcedures = {
  /** The issues of the text that an edit can remove, with these edits. A newer request cancels it: then none. */
  'author.fixes': procedure<TextInput, readonly FixedIssue[]>(text),
};
