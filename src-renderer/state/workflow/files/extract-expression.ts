// Extracts an expression of the edited text to a new node, whose id is a free one like the name of its field.
import { freeNodeId, type WorkflowEdit } from '#contract';
import type { EditorSession } from './editor-session.svelte.ts';

type ExtractEdit = Extract<WorkflowEdit, { readonly kind: 'extract' }>;

/** Resolves to the id of the new node, or to why there is none. */
export async function extractExpression(
  session: EditorSession,
  where: Pick<ExtractEdit, 'from' | 'to' | 'path'>,
  name = '',
): Promise<{ readonly id: string; readonly problem?: string | undefined }> {
  const taken = session.checked?.nodes.map((node) => node.id) ?? [];
  const id = freeNodeId(/^[A-Za-z][A-Za-z0-9_]{0,40}$/.test(name) ? name : 'value', taken);
  const refusal = await session.edit([{ kind: 'extract', ...where, newId: id }], 'Extract an expression');
  return { id, problem: refusal && `${refusal.reason} (line ${refusal.line})` };
}
