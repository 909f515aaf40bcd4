// Every node type, once. A new type is a file here, a line in this list, and how it runs in executor/worker/nodes.
import type { z } from 'zod';
import { assertNode } from './assert.ts';
import { codeNode } from './code.ts';
import { delayNode } from './delay.ts';
import { failNode } from './fail.ts';
import { httpNode } from './http.ts';
import { inputNode } from './input.ts';
import { llmNode } from './llm.ts';
import { lookupNode } from './lookup.ts';
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

/** Whether nodes of this type call something outside this program. */
export const reachesOut = (type: NodeType): boolean => 'reachesOut' in nodeTypes[type];

export const nodeTypeNames = Object.keys(nodeTypes) as readonly NodeType[];
