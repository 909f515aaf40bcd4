// Every node type, once. A new type is a file here and a line in this list; how it runs is in executor/worker/nodes.
import type { z } from 'zod';
import { assertNode } from './assert.ts';
import { codeNode } from './code.ts';
import { delayNode } from './delay.ts';
import { failNode } from './fail.ts';
import { httpNode } from './http.ts';
import { inputNode } from './input.ts';
import { llmNode } from './llm.ts';
import { lookupNode } from './lookup.ts';
import type { ActionKind, ActionTargets } from './node-type.ts';
import { outputNode } from './output.ts';
import { setNode } from './set.ts';
import { switchNode } from './switch.ts';
import { workflowNode } from './workflow.ts';

export const nodeTypes = {
  input: inputNode,
  set: setNode,
  code: codeNode,
  switch: switchNode,
  http: httpNode,
  llm: llmNode,
  lookup: lookupNode,
  workflow: workflowNode,
  delay: delayNode,
  assert: assertNode,
  fail: failNode,
  output: outputNode,
} as const;

export type NodeType = keyof typeof nodeTypes;

/** A node's own keys after parsing, by type. */
export type NodeConfigs = { readonly [T in NodeType]: z.output<ReturnType<(typeof nodeTypes)[T]['config']>> };

export const isNodeType = (type: string): type is NodeType => Object.hasOwn(nodeTypes, type);

/** The action of nodes of this type; undefined if they only evaluate expressions. */
export const actionOf = (type: NodeType): ActionKind | undefined => nodeTypes[type].action?.kind;

/** True if nodes of this type call something outside this program. */
export const reachesOut = (type: NodeType): boolean => actionOf(type) === 'call';

type TypedNode = { [T in NodeType]: { readonly type: T; readonly config: NodeConfigs[T] } }[NodeType];

/** The target of a node's action; undefined if the action is of another kind, or the node has a body. */
export function targetOf<K extends keyof ActionTargets>(
  kind: K,
  node: TypedNode,
): ActionTargets[K] | undefined {
  const { action } = nodeTypes[node.type];
  if (action?.kind !== kind || !('target' in action)) return undefined;
  // A node's type and config belong together by construction, which a look-up by type cannot express.
  const target = action.target as (config: TypedNode['config']) => ActionTargets[K] | undefined;
  return target(node.config);
}

export const nodeTypeNames = Object.keys(nodeTypes) as readonly NodeType[];
