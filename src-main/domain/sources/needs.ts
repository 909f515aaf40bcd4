// The tables and workflows that a workflow needs beside its own file. A node that answers from a mock needs nothing.
import type { MockChoice } from '../workflow/choose-mocks.ts';
import type { Workflow } from '../workflow/workflow.ts';

/** Where in the workflow it is asked for. */
type Place = { readonly nodeId: string; readonly nodeIndex: number };

export type TableNeed = Place & { readonly path: string; readonly key: string };

export type WorkflowNeed = Place & { readonly workflowId: string };

export type Needs = { readonly tables: readonly TableNeed[]; readonly workflows: readonly WorkflowNeed[] };

export const noNeeds: Needs = { tables: [], workflows: [] };

/** How deep workflows may call each other: deeper than anybody can follow, and far from what a stack can bear. */
export const deepestCall = 8;

export function needsOf({ nodes }: Workflow, choice: MockChoice = {}): Needs {
  const running = nodes
    .map((node, nodeIndex) => ({ node, place: { nodeId: node.id, nodeIndex } }))
    .filter(({ node }) => !Object.hasOwn(choice, node.id));
  return {
    tables: running.flatMap(({ node, place }) =>
      node.type === 'lookup' ? [{ ...place, path: node.config.table, key: node.config.key }] : [],
    ),
    workflows: running.flatMap(({ node, place }) =>
      node.type === 'workflow' ? [{ ...place, workflowId: node.config.workflow }] : [],
    ),
  };
}
