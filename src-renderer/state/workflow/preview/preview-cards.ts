// The signs of a preview: each node of the chosen row for its card in the graph, and how each row ended.
import type { PreviewedNode, PreviewedRow, PreviewState } from '#contract';

/** A node of the chosen row, for its card in the graph. */
export type CardPreview = {
  readonly node: PreviewedNode;
  /** Rows in which the node failed, of all rows. */
  readonly failed: number;
  readonly rows: number;
};

/** Cards by the id of their node. */
export function cardsOf(
  rows: readonly PreviewedRow[],
  row: PreviewedRow | undefined,
): ReadonlyMap<string, CardPreview> {
  const failures = new Map<string, number>();
  for (const { nodeId, state } of rows.flatMap(({ nodes }) => nodes)) {
    if (state === 'failed' || state === 'tooSlow') failures.set(nodeId, (failures.get(nodeId) ?? 0) + 1);
  }
  return new Map(
    row?.nodes.map((node) => {
      const failed = failures.get(node.nodeId) ?? 0;
      return [node.nodeId, { node, failed, rows: rows.length }];
    }),
  );
}

/** How a row ended, with the signs of its nodes. */
export function previewRowEnd({ nodes, error, output }: PreviewedRow): PreviewState {
  if (nodes.some(({ state }) => state === 'tooSlow')) return 'tooSlow';
  if (error !== undefined) return 'failed';
  if (nodes.some(({ state }) => state === 'notCalled')) return 'notCalled';
  return output === undefined ? 'notReached' : 'done';
}
