import type { Expression } from '../expressions/value.ts';
import type { WorkflowNode } from './workflow.ts';

/** Ids of the nodes that a node's expressions read, each once. */
export function nodeReads(node: WorkflowNode): readonly string[] {
  const { when, each, onError, config } = node;
  return [
    ...new Set(expressionsIn([when, each, onError, config]).flatMap((expression) => expression.nodeRefs)),
  ];
}

/** Every expression in parsed parts of a node. */
function expressionsIn(part: unknown): Expression[] {
  if (typeof part !== 'object' || part === null) return [];
  if (isExpression(part)) return [part];
  // A literal is the author's data, whatever it looks like.
  if ('kind' in part && part.kind === 'literal') return [];
  return Object.values(part).flatMap(expressionsIn);
}

const isExpression = (part: object): part is Expression =>
  'kind' in part && (part.kind === 'expression' || part.kind === 'body');
