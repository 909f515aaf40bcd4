// Forms of nodes, for the editor of workflows.
import { z } from 'zod';
import type { NodeFormResult } from '../domain/author/node-form.ts';
import type { FormNames } from '../domain/author/node-field.ts';
import { maxEditedCharacters } from './author-procedures.ts';
import { oneWorkflow, procedure } from './procedure.ts';

export type { FieldIssue, NodeForm, NodeFormResult } from '../domain/author/node-form.ts';
export type {
  FormAlternative,
  FormControl,
  FormNames,
  NodeField,
  UnknownKey,
} from '../domain/author/node-field.ts';

export const formProcedures = {
  /** The form of a node in the text; never fails for any text. */
  'author.form': procedure<{ workflowId: string; text: string; nodeId: string }, NodeFormResult>(
    oneWorkflow.extend({ text: z.string().max(maxEditedCharacters), nodeId: z.string().max(500) }),
  ),
  /** Names that fields of forms can have: workflows, secrets, tables and their columns. */
  'author.names': procedure<{ workflowId: string }, FormNames>(oneWorkflow),
};
