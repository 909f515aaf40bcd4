// The body of a workflow node: the nodes of a called workflow, written in the node itself. A body is treated as a workflow of
// its own, with an id that no file can have.
import type { MockChoice } from './choose-mocks.ts';
import { fileNodes, type NodesPath } from './node-path.ts';
import type { Workflow, WorkflowNode } from './workflow.ts';

export type Body = {
  /** Id of the node that has it. */
  readonly nodeId: string;
  /** Path of its list of nodes. */
  readonly nodes: NodesPath;
  /** The body as a workflow, with the variables of its file. It has no input node. */
  readonly workflow: Workflow;
};

/** Bodies of the nodes that answer from no mock. */
export const bodiesOf = (workflow: Workflow, mocked: MockChoice = {}): readonly Body[] =>
  workflow.nodes.flatMap(({ id: nodeId, body }, index) =>
    body === undefined || Object.hasOwn(mocked, nodeId)
      ? []
      : [
          {
            nodeId,
            nodes: [...fileNodes, index, 'nodes'],
            workflow: { ...workflow, id: bodyId(workflow.id, nodeId), nodes: body },
          },
        ],
  );

/** All nodes of the file: each before those of its body. */
export const everyNode = ({ nodes }: Pick<Workflow, 'nodes'>): readonly WorkflowNode[] =>
  nodes.flatMap((node) => [node, ...(node.body ?? [])]);

/** The id of a body as a workflow: ids of files have no `/`. */
export const bodyId = (workflowId: string, nodeId: string): string => `${workflowId}/${nodeId}`;

/** The name of a called workflow in messages about its nodes; for a body, the id of the node that has it. */
export function calledName(workflowId: string): string {
  const [, nodeId] = workflowId.split('/');
  return nodeId ?? `workflow "${workflowId}"`;
}
