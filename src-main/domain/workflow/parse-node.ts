// One node of the file: its keys, with every expression checked against the names and nodes that exist.
import type { z } from 'zod';
import { isJsonObject, type JsonValue } from '../../base/json-value.ts';
import { didYouMean } from '../closest-name.ts';
import { isNodeType, nodeTypeNames, type NodeType } from '../nodes/catalogue.ts';
import type { WorkflowScope } from '../expressions/scope.ts';
import { nodeSchema, type NodeSchema } from '../nodes/node-schema.ts';
import type { FileProblem } from './file-problem.ts';
import type { NodePath } from './node-path.ts';
import { checkPart, type Checked } from './check/schema-problems.ts';
import type { WorkflowNode } from './workflow.ts';

export type NodeSource = {
  readonly json: JsonValue;
  readonly path: NodePath;
  /** Line in the file, from 1. */
  readonly line: number;
};

/** Schemas are made once for all workflows: to make one takes longer than to use it. */
const schemas = new Map<string, NodeSchema>();
/** The workflow of the node that is parsed. */
let current: WorkflowScope = {};

function schemaFor(type: NodeType, hasEach: boolean): NodeSchema {
  const name = `${type} ${hasEach}`;
  const schema = schemas.get(name) ?? nodeSchema(type, { hasEach, around: () => current });
  schemas.set(name, schema);
  return schema;
}

/** A parser for the nodes of one workflow, whose ids and variables are known beforehand. */
export function nodeParser(around: WorkflowScope): (source: NodeSource) => Checked<WorkflowNode> {
  return ({ json, path, line }) => {
    current = around;
    if (!isJsonObject(json)) return refused('Expected a node: names with values', path);
    const type = json['type'];
    if (typeof type !== 'string') {
      return refused(type === undefined ? 'Missing key "type"' : 'Expected text', [...path, 'type']);
    }
    if (!isNodeType(type)) return refused(unknownType(type), [...path, 'type']);
    const parsed = checkPart(schemaFor(type, Object.hasOwn(json, 'each')), json, path);
    return parsed.ok ? { ok: true, value: toNode(parsed.value, line) } : parsed;
  };
}

type NodeKeys = z.output<NodeSchema>;

/** Parts the keys of every node from the type's own, which are its config. */
function toNode(keys: NodeKeys, line: number): WorkflowNode {
  const { id, type, when, each, concurrency, retry, timeout, onError, after, mock, ...config } = keys;
  const node = {
    id,
    type,
    line,
    after: typeof after === 'string' ? [after] : (after ?? []),
    ...(when && { when }),
    ...(each && { each }),
    ...(concurrency !== undefined && { concurrency }),
    ...(retry && {
      retry: {
        attempts: retry.attempts,
        delayMs: retry.delay,
        backoff: retry.backoff,
        ...(retry.on && { on: retry.on }),
      },
    }),
    ...(timeout !== undefined && { timeoutMs: timeout }),
    ...(onError !== undefined && onError !== 'fail' && { onError }),
    ...(mock && { mock }),
    config,
  };
  // The schema was the one of this type, so the keys that are left are this type's config.
  return node as WorkflowNode;
}

const refused = (message: string, path: FileProblem['path']): Checked<never> => ({
  ok: false,
  problems: [{ message, path }],
});

const unknownType = (type: string): string =>
  `Unknown node type ${JSON.stringify(type)}${didYouMean(type, nodeTypeNames)}; known types: ${nodeTypeNames.join(', ')}`;
