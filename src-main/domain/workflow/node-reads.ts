import type { Expression } from '../expressions/value.ts';
import { parsedParts } from './parsed-parts.ts';
import type { WorkflowNode } from './workflow.ts';

/** Ids of the nodes that a node's expressions read, each once. */
export const nodeReads = (node: WorkflowNode): readonly string[] => [
  ...new Set(expressionsOf(node).flatMap((expression) => expression.nodeRefs)),
];

/** Every expression and body of a node. */
export const expressionsOf = (node: WorkflowNode): readonly Expression[] => expressionsIn(parsedParts(node));

/** True if an expression or code of the node may make promises. */
export const nodeMakesPromises = (node: WorkflowNode): boolean =>
  expressionsOf(node).some((expression) => expression.makesPromises);

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
