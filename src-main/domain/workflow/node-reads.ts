import type { JsonObject } from '../../base/json-value.ts';
import type { Expression } from '../expressions/value.ts';
import type { NodeConfigs, NodeType } from '../nodes/catalogue.ts';
import type { WorkflowNode } from './workflow.ts';

/** Ids of the nodes that a node's expressions read, each once. */
export const nodeReads = (node: WorkflowNode): readonly string[] => [
  ...new Set(expressionsOf(node).flatMap((expression) => expression.nodeRefs)),
];

/** Every expression and body of a node. */
export const expressionsOf = (node: WorkflowNode): readonly Expression[] => expressionsIn(parsedFields(node));

/** Expressions whose values can make the node fail: the text of its own message, and `onError`, do not. */
export function failingExpressionsOf(node: WorkflowNode): readonly Expression[] {
  const { onError: _, message, ...others } = parsedFields(node);
  return expressionsIn(node.type === 'assert' ? others : { ...others, message });
}

/** True if an expression or code of the node may make promises. */
export const nodeMakesPromises = (node: WorkflowNode): boolean =>
  expressionsOf(node).some((expression) => expression.makesPromises);

/** Every expression in parsed parts of a node. */
export function expressionsIn(part: unknown): Expression[] {
  if (typeof part !== 'object' || part === null) return [];
  if (isExpression(part)) return [part];
  // A literal is the author's data, whatever it looks like.
  if ('kind' in part && part.kind === 'literal') return [];
  return Object.values(part).flatMap(expressionsIn);
}

/** True for an expression or code. */
export const isExpression = (part: object): part is Expression =>
  'kind' in part && (part.kind === 'expression' || part.kind === 'body');

/** Keys that hold an author's JSON as it stands: it may look like an expression, and is none. */
type DataKey<Config> = {
  [K in keyof Config]-?: JsonIn<Config[K]> extends never ? never : K;
}[keyof Config];
type JsonIn<V> = V extends unknown ? (JsonObject extends V ? V : JsonObject[] extends V ? V : never) : never;

/** The data key of each type that has one. No import of the catalogue's values: row workers load this file. */
const dataKeys: {
  readonly [T in NodeType as DataKey<NodeConfigs[T]> extends never ? never : T]: DataKey<NodeConfigs[T]>;
} = { input: 'testRows', llm: 'json' };

/** The parts of a node that were parsed, by their names: every expression of the node is in there, and nothing else. */
export function parsedFields({
  type,
  when,
  each,
  onError,
  config,
}: WorkflowNode): Readonly<Record<string, unknown>> {
  const dataKey = (dataKeys as Partial<Record<NodeType, string>>)[type];
  const parsed = Object.entries(config).filter(([key]) => key !== dataKey);
  return { when, each, ...Object.fromEntries<unknown>(parsed), onError: onError?.value };
}
