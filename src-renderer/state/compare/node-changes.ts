// The statistics of the nodes of two runs side by side.
import type { NodeStatisticsView } from '#contract';

type NodeFigures = {
  /** Rows in which the node ran, without those that skipped it. */
  readonly rows: number;
  readonly failed: number;
  /** In ms; undefined where nothing was timed. */
  readonly mean?: number;
  readonly p95?: number;
  readonly tokens?: number;
};

export type NodeChange = {
  readonly nodeId: string;
  /** Its name in the first run, if it has another one there. */
  readonly oldId?: string;
  /** Absent: the run's workflow does not have the node. */
  readonly before?: NodeFigures;
  readonly after?: NodeFigures;
};

/** In the order of the second run; after them, nodes that only the first one has. */
export function nodeChanges(
  first: readonly NodeStatisticsView[],
  second: readonly NodeStatisticsView[],
): readonly NodeChange[] {
  const before = new Map(first.map((node) => [node.nodeId, figuresOf(node)]));
  const after = new Map(second.map((node) => [node.nodeId, figuresOf(node)]));
  const oldIds = renamedNodes(first, second);
  const gone = [...before.keys()].filter((nodeId) => ![...oldIds.values()].includes(nodeId));
  return [...new Set([...after.keys(), ...gone])].map((nodeId) => {
    const oldId = oldIds.get(nodeId);
    const [one, other] = [before.get(oldId ?? nodeId), after.get(nodeId)];
    return {
      nodeId,
      ...(oldId === undefined ? {} : { oldId }),
      ...(one === undefined ? {} : { before: one }),
      ...(other === undefined ? {} : { after: other }),
    };
  });
}

/** Old names by new ones: a node of the same type stands in the same place, between the nodes that both runs have. */
function renamedNodes(
  first: readonly NodeStatisticsView[],
  second: readonly NodeStatisticsView[],
): ReadonlyMap<string, string> {
  const left = unsharedNodes(first, second);
  const renamed = new Map<string, string>();
  for (const { nodeId, position } of unsharedNodes(second, first)) {
    const at = left.findIndex((old) => old.position === position);
    const [old] = at < 0 ? [] : left.splice(at, 1);
    if (old !== undefined) renamed.set(nodeId, old.nodeId);
  }
  return renamed;
}

/** Nodes that the other run does not have, each with its type and the number of shared nodes before it. */
function unsharedNodes(
  nodes: readonly NodeStatisticsView[],
  others: readonly NodeStatisticsView[],
): { readonly nodeId: string; readonly position: string }[] {
  const isShared = (nodeId: string): boolean => others.some((other) => other.nodeId === nodeId);
  return nodes.flatMap(({ nodeId, type }, index) => {
    const shared = nodes.slice(0, index).filter((node) => isShared(node.nodeId)).length;
    return isShared(nodeId) ? [] : [{ nodeId, position: `${shared} ${type}` }];
  });
}

function figuresOf({ done, failed, replaced, ms, p95, tokens, latency }: NodeStatisticsView): NodeFigures {
  const timed = latency.reduce((sum, { rows }) => sum + rows, 0);
  return {
    rows: done + failed + replaced,
    failed,
    ...(timed === 0 ? {} : { mean: ms / timed }),
    ...(p95 === null ? {} : { p95 }),
    ...(tokens === undefined ? {} : { tokens: tokens.prompt + tokens.completion }),
  };
}

/** `+12 %`, `-40 %`, `same`; undefined where there is nothing to compare. */
export function percentChange(before: number | undefined, after: number | undefined): string | undefined {
  if (before === undefined || after === undefined || before === 0) return undefined;
  const percent = Math.round((after / before - 1) * 100);
  if (percent === 0) return 'same';
  return `${percent > 0 ? '+' : ''}${percent.toLocaleString('en-US')} %`;
}
