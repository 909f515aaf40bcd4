// The JSON Schema of a workflow file, made of the schemas that check one. Editors read the published copy,
// docs/workflow.schema.json, for completion and help; `npm run generate` writes it, a spec fails when it is stale.
import { z } from 'zod';
import { nodeTypeNames, nodeTypes, type NodeType } from '../nodes/catalogue.ts';
import { nodeSchema } from '../nodes/node-schema.ts';
import { workflowKeys } from './workflow-keys.ts';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** In the 2020-12 dialect. It knows the form of a file; names, references and cycles only Rowbench itself checks. */
export function workflowJsonSchema(): JsonSchema {
  const [first, ...others] = nodeTypeNames.map(describedNode);
  if (first === undefined) return {};
  const file = workflowKeys.extend({
    nodes: z
      .array(z.discriminatedUnion('type', [first, ...others]))
      .min(1)
      .describe('The nodes. Their order follows from what their expressions read.'),
  });
  const schema = z.toJSONSchema(file, { io: 'input', target: 'draft-2020-12', reused: 'inline' });
  return { ...schema, title: 'Rowbench workflow' };
}

function describedNode(type: NodeType) {
  const { title, summary, value } = nodeTypes[type];
  const description = `${summary} Its value (nodes.<id>): ${value}.`;
  return nodeSchema(type, { hasEach: true }).meta({ title, description });
}
