// Frames of a graph: cards with the same condition that stand beside each other.
import { card, type LaidOutNode } from './graph-layout.ts';
import type { OutlineNodeView } from './graph-edits.ts';

/** Nodes with the same condition, and the box around their cards. */
export type GraphFrame = {
  readonly when: string;
  readonly ids: readonly string[];
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
};

/** Space between a frame and its cards. */
const padding = 8;

/** Frames of two nodes or more. A frame contains no card with another condition. */
export function framesOf(
  nodes: readonly Pick<OutlineNodeView, 'id' | 'when'>[],
  positions: readonly LaidOutNode[],
): readonly GraphFrame[] {
  const conditions = new Map(nodes.map(({ id, when }) => [id, when]));
  const frames: GraphFrame[] = [];
  for (const { id, x, y } of [...positions].sort((one, other) => one.x - other.x || one.y - other.y)) {
    const when = conditions.get(id);
    if (when === undefined) continue;
    let frame: GraphFrame = { when, ids: [id], x, y, width: card.width, height: card.height };
    for (const [at, other] of [...frames.entries()].reverse()) {
      const both = around(frame, other);
      const isFree = positions.every((each) => !isInside(each, both) || conditions.get(each.id) === when);
      if (other.when !== when || !areNeighbours(frame, other) || !isFree) continue;
      frames.splice(at, 1);
      frame = both;
    }
    frames.push(frame);
  }
  return frames
    .filter(({ ids }) => ids.length > 1)
    .map(({ x, y, width, height, ...frame }) => ({
      ...frame,
      x: x - padding,
      y: y - padding,
      width: width + 2 * padding,
      height: height + 2 * padding,
    }));
}

const around = (one: GraphFrame, other: GraphFrame): GraphFrame => {
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
  return {
    when: one.when,
    ids: [...other.ids, ...one.ids],
    x,
    y,
    width: Math.max(one.x + one.width, other.x + other.width) - x,
    height: Math.max(one.y + one.height, other.y + other.height) - y,
  };
};

/** True if no column of cards lies between the two, and about one card at most above or below. */
const areNeighbours = (one: GraphFrame, other: GraphFrame): boolean =>
  Math.max(one.x, other.x) - Math.min(one.x + one.width, other.x + other.width) <= card.gapX &&
  Math.max(one.y, other.y) - Math.min(one.y + one.height, other.y + other.height) <=
    card.height + 2 * card.gapY;

const isInside = ({ x, y }: LaidOutNode, box: GraphFrame): boolean =>
  x < box.x + box.width && x + card.width > box.x && y < box.y + box.height && y + card.height > box.y;

/** Code of a condition or a list, for a place with little room. */
export const shortCode = (code: string): string => code.replaceAll(/\bnodes\./g, '');

/** A line of the outline: a node, or the condition of the nodes below it. */
type OutlineRow =
  | { readonly node: OutlineNodeView; readonly isFramed: boolean }
  | { readonly when: string; readonly ids: readonly string[] };

/** Nodes in the order of the file; those with the same condition, one after the other, below it. */
export function outlineRows(nodes: readonly OutlineNodeView[]): readonly OutlineRow[] {
  return nodes.flatMap((node, at): readonly OutlineRow[] => {
    const { when } = node;
    const isFollowing = when !== undefined && nodes[at - 1]?.when === when;
    const end = nodes.findIndex((other, index) => index > at && other.when !== when);
    const ids = nodes.slice(at, end < 0 ? undefined : end).map(({ id }) => id);
    const isFramed = when !== undefined && (isFollowing || ids.length > 1);
    const row = { node, isFramed };
    return isFramed && !isFollowing ? [{ when, ids }, row] : [row];
  });
}
