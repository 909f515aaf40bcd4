// The tables and workflows that a workflow needs beside its own file. A node that answers from a mock needs nothing.
import { targetOf } from '../nodes/catalogue.ts';
import type { ActionTargets } from '../nodes/node-type.ts';
import type { MockChoice } from '../workflow/choose-mocks.ts';
import { fileNodes, type NodePath } from '../workflow/node-path.ts';
import type { Workflow } from '../workflow/workflow.ts';
import type { Table } from './table.ts';

/** The node that needs it. */
type NeedingNode = { readonly nodeId: string; readonly nodePath: NodePath };

export type TableNeed = NeedingNode & ActionTargets['lookup'];

export type WorkflowNeed = NeedingNode & ActionTargets['workflow'];

export type Needs = { readonly tables: readonly TableNeed[]; readonly workflows: readonly WorkflowNeed[] };

export const noNeeds: Needs = { tables: [], workflows: [] };

/** How deep workflows may call each other: deeper than anybody can follow, and far from what a stack can bear. */
export const deepestCall = 8;

export function needsOf({ nodes }: Workflow, choice: MockChoice = {}): Needs {
  const targets = <K extends keyof ActionTargets>(kind: K): (NeedingNode & ActionTargets[K])[] =>
    nodes.flatMap((node, index) => {
      const target = Object.hasOwn(choice, node.id) ? undefined : targetOf(kind, node);
      return target === undefined ? [] : [{ nodeId: node.id, nodePath: [...fileNodes, index], ...target }];
    });
  return { tables: targets('lookup'), workflows: targets('workflow') };
}

/** A workflow that another one calls. */
export type CalledWorkflow = {
  readonly workflow: Workflow;
  /** Nodes of it that answer from a mock. */
  readonly choice: MockChoice;
  readonly tables: readonly Table[];
};

/** All that the runs of a workflow need beside its own file, read and checked. */
export type LoadedDependencies = {
  readonly tables: readonly Table[];
  /** Those that it calls, and those that they call, each once. */
  readonly workflows: readonly CalledWorkflow[];
};

export const noDependencies: LoadedDependencies = { tables: [], workflows: [] };
