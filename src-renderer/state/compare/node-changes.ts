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
  return [...new Set([...after.keys(), ...before.keys()])].map((nodeId) => {
    const [one, other] = [before.get(nodeId), after.get(nodeId)];
    return {
      nodeId,
      ...(one === undefined ? {} : { before: one }),
      ...(other === undefined ? {} : { after: other }),
    };
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
