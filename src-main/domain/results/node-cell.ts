// How a node ended in a row: read from the cells of a trace line, and shown in the cells of a table. The threads that read
// the database use this file too, so it imports no schema library.
import type { RowFailure } from '../run/row-failure.ts';
import { nodeEnds, type NodeEnd } from './trace-form.ts';

/** A node without items, replaced items and repeated calls has none of these keys. */
type NodeCounts = {
  /** All attempts, of all items; 0 for a node that did not run. */
  readonly attempts: number;
  /** Item count; only for nodes with `each`. */
  readonly items?: number;
  /** Number of items, or calls of `repeat`, whose value `onError` gave, if there are any. */
  readonly replacedItems?: number;
  /** Calls of a node with `repeat`, over all items. */
  readonly repeatedCalls?: number;
};

export type NodeCell = NodeCounts & {
  /** `not kept`: only why its row failed is kept. */
  readonly end: NodeEnd | 'not kept';
  /** Absent where only the failure is kept. */
  readonly micros?: number;
};

/** A cell as clients get it. */
export type NodeCellView = Omit<NodeCell, 'micros'> & {
  /** Absent where only why its row failed is kept. */
  readonly ms?: number;
};

/** Ways in which a node can end that a filter looks for; `retried`: it needed more than one attempt. */
export const testedEnds = [...nodeEnds, 'retried'] as const;
export type TestedEnd = (typeof testedEnds)[number];

/**
 * A cell as a trace line has it: microseconds of a node that was done at once; else how it ended, microseconds, attempts,
 * how many items, in how many of them `onError` gave the value, and how many calls `repeat` made. -1 items: the node has no
 * `each`.
 */
export type StoredCell = number | readonly [end: number, micros: number, attempts: number, ...more: number[]];

export function cellOf(stored: StoredCell): NodeCell {
  if (typeof stored === 'number') return { end: 'done', micros: stored, attempts: 1 };
  const [end, micros, attempts, items, replacedItems, repeatedCalls] = stored;
  return {
    end: nodeEnds[end] ?? 'done',
    micros,
    attempts,
    ...(items === undefined || items < 0 ? {} : { items }),
    ...(replacedItems === undefined || replacedItems === 0 ? {} : { replacedItems }),
    ...(repeatedCalls === undefined ? {} : { repeatedCalls }),
  };
}

export const cellView = ({ micros, ...cell }: NodeCell): NodeCellView => ({
  ...cell,
  ...(micros === undefined ? {} : { ms: micros / 1000 }),
});

/**
 * All that is known of the nodes of a row of which only the failure is kept: how its node ended and that no later one was
 * reached.
 * @param nodeIds in the order in which they run
 */
export function cellsOfFailure(
  { nodeId, attempts }: Pick<RowFailure, 'nodeId' | 'attempts'>,
  nodeIds: readonly string[],
): readonly NodeCell[] {
  const failed = nodeIds.indexOf(nodeId);
  return nodeIds.map((_, index) => {
    if (failed < 0 || index < failed) return { end: 'not kept', attempts: 0 };
    return index > failed ? { end: 'not reached', attempts: 0 } : { end: 'failed', attempts };
  });
}

/** True if the node ended in one of these ways; undefined: not known. */
export function hasOutcome(cell: NodeCell, outcomes: readonly TestedEnd[]): boolean | undefined {
  const { end, attempts, items = 1 } = cell;
  if (end === 'not kept') return undefined;
  return outcomes.includes(end) || (outcomes.includes('retried') && attempts > Math.max(1, items));
}
