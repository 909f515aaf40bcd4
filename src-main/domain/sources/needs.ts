// The tables and workflows that a workflow needs beside its own file. A node that answers from a mock needs nothing.
import { targetOf } from '../nodes/catalogue.ts';
import type { ActionTargets } from '../nodes/node-type.ts';
import { bodiesOf } from '../workflow/body.ts';
import { mocksOf, type MockChoice, type MockInputs } from '../workflow/choose-mocks.ts';
import { fileNodes, innerId, type NodePath, type NodesPath } from '../workflow/node-path.ts';
import type { Workflow } from '../workflow/workflow.ts';
import type { Table } from './table.ts';

/** The node that needs it; one of a body has the id `<node>/<id>`. */
type NeedingNode = { readonly nodeId: string; readonly nodePath: NodePath };

export type TableNeed = NeedingNode & ActionTargets['lookup'];

export type WorkflowNeed = NeedingNode &
  ActionTargets['workflow'] & {
    /** Id of the body that the node is in, as a workflow; absent: it is in no body. */
    readonly bodyId?: string;
  };

export type Needs = { readonly tables: readonly TableNeed[]; readonly workflows: readonly WorkflowNeed[] };

export const noNeeds: Needs = { tables: [], workflows: [] };

/** How deep workflows may call each other: deeper than anybody can follow, and far from what a stack can bear. */
export const deepestCall = 8;

/** @param inputs which nodes answer from a mock; the mode is that of bodies, too */
export function needsOf(workflow: Workflow, inputs: MockInputs = {}): Needs {
  const choice = mocksOf(workflow, inputs);
  const own = needsIn(workflow, { choice, list: fileNodes, name: (id) => id });
  const inBodies = bodiesOf(workflow, choice).map(({ nodeId, nodes, workflow: body }) => {
    const ofMode = mocksOf(body, { mode: inputs.mode });
    const { tables, workflows } = needsIn(body, {
      choice: ofMode,
      list: nodes,
      name: (id) => innerId(nodeId, id),
    });
    return { tables, workflows: workflows.map((need) => ({ ...need, bodyId: body.id })) };
  });
  const all = [own, ...inBodies];
  return {
    tables: all.flatMap(({ tables }) => tables),
    workflows: all.flatMap(({ workflows }) => workflows),
  };
}

type NeedingNodes = {
  readonly choice: MockChoice;
  /** Path of the list. */
  readonly list: NodesPath;
  /** The id of a node outside of the list. */
  readonly name: (id: string) => string;
};

function needsIn({ nodes }: Workflow, { choice, list, name }: NeedingNodes): Needs {
  const targets = <K extends keyof ActionTargets>(kind: K): (NeedingNode & ActionTargets[K])[] =>
    nodes.flatMap((node, index) => {
      const target = Object.hasOwn(choice, node.id) ? undefined : targetOf(kind, node);
      return target === undefined ? [] : [{ nodeId: name(node.id), nodePath: [...list, index], ...target }];
    });
  return { tables: targets('lookup'), workflows: targets('workflow') };
}

/** A workflow that another one calls. */
export type CalledWorkflow = {
  readonly workflow: Workflow;
  readonly tables: readonly Table[];
};

/** All that the runs of a workflow need beside its own file, read and checked. */
export type LoadedDependencies = {
  readonly tables: readonly Table[];
  /** Those that it calls, and those that they call, each once. */
  readonly workflows: readonly CalledWorkflow[];
};

export const noDependencies: LoadedDependencies = { tables: [], workflows: [] };
