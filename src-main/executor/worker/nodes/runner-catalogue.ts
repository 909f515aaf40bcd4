// One runner for each node type; a type without one does not compile.
import type { NodeType } from '../../../domain/nodes/catalogue.ts';
import type { WorkflowNode } from '../../../domain/workflow/workflow.ts';
import { runAssert } from './assert.ts';
import { runCode } from './code.ts';
import { runDelay } from './delay.ts';
import { runFail } from './fail.ts';
import { runHttp } from './http.ts';
import { runInput } from './input.ts';
import { runLlm } from './llm.ts';
import { runLookup } from './lookup.ts';
import type { MakeRunner, NodeRunner, NodeTools } from './node-runner.ts';
import { runOutput } from './output.ts';
import { runSet } from './set.ts';
import { runSwitch } from './switch.ts';
import { runWorkflow } from './workflow.ts';

const runners: { readonly [T in NodeType]: MakeRunner<T> } = {
  input: runInput,
  output: runOutput,
  set: runSet,
  switch: runSwitch,
  lookup: runLookup,
  assert: runAssert,
  code: runCode,
  http: runHttp,
  llm: runLlm,
  workflow: runWorkflow,
  delay: runDelay,
  fail: runFail,
};

export const makeRunner = (node: WorkflowNode, tools: NodeTools): NodeRunner =>
  // The types cannot express that the config belongs to the node's type.
  (runners[node.type] as MakeRunner<NodeType>)(node.config, tools);
