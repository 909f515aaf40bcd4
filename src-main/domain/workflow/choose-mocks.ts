// Which nodes of a run answer from a mock. The choice is an input of the run; nothing else ever turns a mock on.
import { didYouMean } from '../closest-name.ts';
import { reachesOut } from '../nodes/catalogue.ts';
import type { Mock } from '../nodes/mock.ts';
import type { RunMode } from '../run/run-mode.ts';
import type { Workflow, WorkflowNode } from './workflow.ts';

/** For each mocked node the name of one of its `mock` entries. */
export type MockChoice = { readonly [nodeId: string]: string };

/** Inputs of a run that decide which nodes answer from a mock. */
export type MockInputs = { readonly mocks?: MockChoice | undefined; readonly mode?: RunMode | undefined };

/** In mode `mocks` every node that would reach out answers from its first mock, unless another was chosen. */
export function mocksOf({ nodes }: Workflow, { mocks = {}, mode }: MockInputs): MockChoice {
  if (mode !== 'mocks') return mocks;
  const first = nodes.flatMap(({ id, type, mock: [named] = [] }) =>
    reachesOut(type) && named !== undefined ? [[id, named[0]] as const] : [],
  );
  return Object.fromEntries([...first, ...Object.entries(mocks)]);
}

/** Mocks by the node that they stand in for. */
export type ChosenMocks = readonly (readonly [nodeId: string, mock: Mock])[];

export type MockProblem = {
  readonly nodeId: string;
  readonly message: string;
  /** True if the node is unknown; false if only the name of its mock is. */
  readonly isNode: boolean;
};

/** Looks the chosen mocks up, in the order of the workflow's nodes so that equal choices are equal plans. */
export function chooseMocks(
  workflow: Workflow,
  choice: MockChoice,
): { readonly mocks: ChosenMocks; readonly problems: readonly MockProblem[] } {
  const problems = Object.entries(choice).flatMap(
    ([nodeId, name]) => problemOf(workflow, nodeId, name) ?? [],
  );
  const mocks = workflow.nodes.flatMap((node) => {
    const mock = Object.hasOwn(choice, node.id) ? mockOf(node, choice[node.id]) : undefined;
    return mock === undefined ? [] : [[node.id, mock] as const];
  });
  return { mocks, problems };
}

function problemOf({ nodes }: Workflow, nodeId: string, name: string): MockProblem | undefined {
  const node = nodes.find(({ id }) => id === nodeId);
  if (node === undefined) {
    const ids = nodes.map(({ id }) => id);
    return {
      nodeId,
      message: `There is no node ${JSON.stringify(nodeId)}${didYouMean(nodeId, ids)}`,
      isNode: true,
    };
  }
  if (mockOf(node, name) !== undefined) return undefined;
  const names = (node.mock ?? []).map(([known]) => known);
  const message =
    names.length === 0
      ? `The node "${nodeId}" has no mocks`
      : `The node "${nodeId}" has no mock ${JSON.stringify(name)}${didYouMean(name, names)}; it has ${names.join(', ')}`;
  return { nodeId, message, isNode: names.length === 0 };
}

const mockOf = (node: WorkflowNode, name: string | undefined): Mock | undefined =>
  node.mock?.find(([known]) => known === name)?.[1];
