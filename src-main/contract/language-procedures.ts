// Help with writing workflow files: quick fixes, completions, and what stands at an offset.
import { z } from 'zod';
import type { Completions } from '../domain/language/completion-site.ts';
import type { FixedIssue } from '../domain/language/quick-fixes.ts';
import type { InsertedRead } from '../domain/language/insert-read.ts';
import type { AtOffset, SymbolAt, TextSpan } from '../domain/language/symbol.ts';
import { maxEditedCharacters } from './author-procedures.ts';
import { oneWorkflow, procedure } from './procedure.ts';

export type { AtOffset, Completions, FixedIssue, InsertedRead, SymbolAt, TextSpan };

type TextInput = { workflowId: string; text: string };
const text = oneWorkflow.extend({ text: z.string().max(maxEditedCharacters) });

type OffsetInput = TextInput & {
  offset: number;
  /** The text of the workflow, if `text` is that of its tests. */
  workflowText?: string;
};
const atOffset = text.extend({
  offset: z.number().int().min(0),
  workflowText: z.string().max(maxEditedCharacters).exactOptional(),
});

/** From `row`, or from `nodes` and the id of a node. */
type ReadInput = TextInput & { offset: number; path: readonly (string | number)[] };
const step = z.union([z.string().max(10_000), z.number().int().min(0)]);

export const languageProcedures = {
  /** The change of the text that reads the value at the path where the caret is; or why there is none. */
  'author.insertRead': procedure<ReadInput, InsertedRead>(
    text.extend({ offset: z.number().int().min(0), path: z.array(step).min(1).max(200) }),
  ),
  /** The issues of the text that an edit can remove, with these edits. A newer request cancels it: then none. */
  'author.fixes': procedure<TextInput, readonly FixedIssue[]>(text),
  /** Completions at the offset; null for none. A newer request cancels it: then null, too. */
  'author.complete': procedure<OffsetInput, Completions | null>(atOffset),
  /** Symbol and breadcrumb at the offset. A newer request cancels it: then nothing. */
  'author.symbol': procedure<OffsetInput, AtOffset>(atOffset),
};
