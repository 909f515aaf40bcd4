// Where the nodes of a workflow stand: layers from left to right, each node one layer behind the last that it follows,
// and within a layer near what it is joined to. Edges that pass over layers get a lane of their own there, so that they
// run between the cards and not behind them. The same graph always looks the same.
//
//   1. layers: longest path; in a file with errors, edges that would go round are left out
//   2. lanes: for edges over several layers, one for all edges from the same node
//   3. order in each layer: by the middle of the neighbours, a few times to and fro
//   4. heights: as near to the neighbours as the cards above and below allow
import { spreadApart } from './spread-apart.ts';

export type GraphEdge = { readonly from: string; readonly to: string };
export type PlacedNode = {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly layer: number;
};
/** From the right side of a card to the left side of another; `lanes` are the heights at which it passes layers. */
export type PlacedEdge<Edge> = {
  readonly edge: Edge;
  readonly points: readonly (readonly [x: number, y: number])[];
};
export type GraphLayout<Edge> = {
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge<Edge>[];
  readonly width: number;
  readonly height: number;
};

export const card = { width: 200, height: 64, gapX: 64, gapY: 20 } as const;
const laneHeight = 8;
/** Layers that an edge gets lanes through: one that leads further goes straight, behind whatever stands there. */
const maxLanes = 12;
const sweeps = 4;

/** A card, or a lane of an edge. */
type Slot = {
  readonly id: string;
  readonly layer: number;
  readonly height: number;
  readonly before: Slot[];
  readonly behind: Slot[];
  /** Place in its layer, and where its middle is. */
  place: number;
  middle: number;
};

/** `ids` in the order of the file. Edges between unknown nodes are left out. */
export function layoutGraph<Edge extends GraphEdge>(
  ids: readonly string[],
  edges: readonly Edge[],
): GraphLayout<Edge> {
  const layers = layersOf(ids, edges);
  const forward = edges.filter(({ from, to }) => (layers.get(from) ?? Infinity) < (layers.get(to) ?? -1));
  const slots = new Map(ids.map((id) => [id, slotAt(id, layers.get(id) ?? 0, card.height)]));
  const ways = joinSlots(slots, forward);
  const columns = columnsOf([...slots.values()]);
  orderColumns(columns);
  setHeights(columns);
  const all = columns.flat();
  const top = Math.min(0, ...all.map(({ middle, height }) => middle - height / 2));
  const bottom = Math.max(0, ...all.map(({ middle, height }) => middle + height / 2));
  for (const slot of all) slot.middle = Math.round(slot.middle - top);
  return {
    nodes: ids.flatMap((id) => {
      const slot = slots.get(id);
      return slot === undefined
        ? []
        : [{ id, layer: slot.layer, x: leftOf(slot), y: slot.middle - card.height / 2 }];
    }),
    edges: forward.flatMap((edge) => {
      const way = ways.get(edge);
      return way === undefined ? [] : [{ edge, points: pointsOf(way) }];
    }),
    width: columns.length * (card.width + card.gapX) - (columns.length > 0 ? card.gapX : 0),
    height: Math.round(bottom - top),
  };
}

const slotAt = (id: string, layer: number, height: number): Slot => ({
  id,
  layer,
  height,
  before: [],
  behind: [],
  place: 0,
  middle: 0,
});

const leftOf = ({ layer }: Slot): number => layer * (card.width + card.gapX);

/** Each node one layer behind the last of those that it follows. */
function layersOf(ids: readonly string[], edges: readonly GraphEdge[]): Map<string, number> {
  const known = new Set(ids);
  const next = new Map<string, string[]>(ids.map((id) => [id, []]));
  const waits = new Map<string, number>(ids.map((id) => [id, 0]));
  for (const { from, to } of edges) {
    if (!known.has(from) || !known.has(to) || from === to) continue;
    next.get(from)?.push(to);
    waits.set(to, (waits.get(to) ?? 0) + 1);
  }
  const layers = new Map<string, number>();
  const ready = ids.filter((id) => waits.get(id) === 0);
  const least = new Map<string, number>();
  const take = (id: string): void => {
    const layer = least.get(id) ?? 0;
    layers.set(id, layer);
    for (const to of next.get(id) ?? []) {
      if (layers.has(to)) continue;
      least.set(to, Math.max(least.get(to) ?? 0, layer + 1));
      waits.set(to, (waits.get(to) ?? 0) - 1);
      if (waits.get(to) === 0) ready.push(to);
    }
  };
  for (let at = 0, left = 0; layers.size < known.size;) {
    const id = ready[at] ?? ids[left];
    if (ready[at] === undefined) left += 1;
    else at += 1;
    // What goes round is begun with the node that is first in the file.
    if (id !== undefined && !layers.has(id)) take(id);
  }
  return layers;
}

/** A node with the lanes of its edges, layer by layer; `bends` are made once and shared. */
type Trunk = { readonly slots: Slot[]; bends?: readonly Bend[] };
/** Along so many slots of the trunk, then to a node. */
type Way = { readonly trunk: Trunk; readonly length: number; readonly to: Slot };

/** Joins what is in neighbouring layers; gives for each edge the slots that it goes through. */
function joinSlots<Edge extends GraphEdge>(slots: Map<string, Slot>, edges: readonly Edge[]): Map<Edge, Way> {
  const ways = new Map<Edge, Way>();
  /** From each node, its lanes so far: layer by layer. */
  const trunks = new Map<Slot, Trunk>();
  for (const edge of edges) {
    const from = slots.get(edge.from);
    const to = slots.get(edge.to);
    if (from === undefined || to === undefined) continue;
    const trunk = trunks.get(from) ?? { slots: [from] };
    trunks.set(from, trunk);
    const last = to.layer - from.layer > maxLanes ? from.layer : to.layer;
    for (let layer = from.layer + trunk.slots.length; layer < last; layer += 1) {
      // No node's id has a space in it.
      const lane = slotAt(`${from.id} ${layer}`, layer, laneHeight);
      slots.set(lane.id, lane);
      join(trunk.slots.at(-1), lane);
      trunk.slots.push(lane);
    }
    const length = Math.max(1, last - from.layer);
    join(trunk.slots[length - 1], to);
    ways.set(edge, { trunk, length, to });
  }
  return ways;
}

function join(before: Slot | undefined, behind: Slot): void {
  before?.behind.push(behind);
  if (before !== undefined) behind.before.push(before);
}

function columnsOf(slots: readonly Slot[]): Slot[][] {
  const columns: Slot[][] = [];
  for (const slot of slots) (columns[slot.layer] ??= []).push(slot);
  for (const column of columns) number(column);
  return columns;
}

const number = (column: readonly Slot[]): void => column.forEach((slot, place) => (slot.place = place));

/** Crossings become fewer when each stands at the middle of those that it is joined to. */
function orderColumns(columns: readonly Slot[][]): void {
  for (let sweep = 0; sweep < sweeps; sweep += 1) {
    const isForward = sweep % 2 === 0;
    for (const column of isForward ? columns : columns.toReversed()) {
      const wanted = new Map(
        column.map((slot) => [slot, meanPlace(slot, isForward ? slot.before : slot.behind)]),
      );
      column.sort(
        (one, other) => (wanted.get(one) ?? 0) - (wanted.get(other) ?? 0) || one.place - other.place,
      );
      number(column);
    }
  }
}

const meanPlace = (slot: Slot, others: readonly Slot[]): number =>
  others.length === 0 ? slot.place : mean(others.map(({ place }) => place));

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

function setHeights(columns: readonly Slot[][]): void {
  for (const column of columns) settle(column, () => []);
  for (let sweep = 0; sweep < sweeps; sweep += 1) {
    const isForward = sweep % 2 === 0;
    for (const column of isForward ? columns : columns.toReversed())
      settle(column, (slot) => (isForward ? slot.before : slot.behind));
  }
}

/** Puts each as near to the middle of the others as its neighbours in the column allow. */
function settle(column: readonly Slot[], othersOf: (slot: Slot) => readonly Slot[]): void {
  const middles = spreadApart(
    column.map((slot) => {
      const others = othersOf(slot);
      return {
        wanted: others.length === 0 ? slot.middle : mean(others.map(({ middle }) => middle)),
        size: slot.height,
      };
    }),
    card.gapY,
  );
  column.forEach((slot, at) => (slot.middle = middles[at] ?? 0));
}

type Point = readonly [x: number, y: number];
/** Where a trunk turns: out of the slot before, into this one. */
type Bend = { readonly at: number; readonly out: Point; readonly into: Point };

function pointsOf({ trunk, length, to }: Way): readonly Point[] {
  trunk.bends ??= bendsOf(trunk.slots);
  const bends = trunk.bends.filter(({ at }) => at < length).flatMap(({ out, into }) => [out, into]);
  const [start, end] = [trunk.slots[0], trunk.slots[length - 1]];
  if (start === undefined || end === undefined) return [];
  const ends = length === 1 ? [rightOf(start)] : [rightOf(start), ...bends, rightOf(end)];
  const points = [...ends, [leftOf(to), to.middle] as const];
  return points.filter(([x, y], at) => points[at - 1]?.[0] !== x || points[at - 1]?.[1] !== y);
}

/** The bends of an edge; a lane that continues straight has none. */
const bendsOf = (slots: readonly Slot[]): readonly Bend[] =>
  slots.flatMap((slot, at) => {
    const before = slots[at - 1];
    if (before === undefined || before.middle === slot.middle) return [];
    return [{ at, out: rightOf(before), into: [leftOf(slot), slot.middle] as const }];
  });

const rightOf = (slot: Slot): Point => [leftOf(slot) + card.width, slot.middle];

/** The way of an edge for an SVG path: bent between layers, straight in its lanes. */
export function edgePath(points: PlacedEdge<unknown>['points']): string {
  const [[x, y] = [0, 0], ...rest] = points;
  let path = `M${x} ${y}`;
  let [lastX, lastY] = [x, y];
  for (const [toX, toY] of rest) {
    const middle = (lastX + toX) / 2;
    path += toY === lastY ? ` L${toX} ${toY}` : ` C${middle} ${lastY} ${middle} ${toY} ${toX} ${toY}`;
    [lastX, lastY] = [toX, toY];
  }
  return path;
}
