import type { NodeType } from '../nodes/catalogue.ts';
import type { WorkflowNode } from './workflow.ts';

/** Keys whose value is the author's data as it stands in the file: it may look like anything, an expression too. */
const dataKeys: Partial<Record<NodeType, string>> = { input: 'testRows', llm: 'json' };

/** The parts of a node that were parsed, by their names: every expression of the node is in there, and nothing else. */
export function parsedParts({
  type,
  when,
  each,
  onError,
  config,
}: WorkflowNode): Readonly<Record<string, unknown>> {
  const parsed = Object.entries(config).filter(([key]) => key !== dataKeys[type]);
  return { when, each, ...Object.fromEntries<unknown>(parsed), onError: onError?.value };
}
