// Layered layout of a workflow's graph (Sugiyama): layers from left to right, each node one layer after its last
// predecessor, and close to its neighbours. Edges over several layers get a lane in each layer, so that they run between
// the cards and not behind them. The same graph looks the same. After an edit, cards stay as close to where they were as
// the new ones allow (stable-layout.ts).
//
//   1. layers: longest path; in a file with errors, edges that close a cycle are omitted
//   2. lanes: for edges over several layers, one for all edges from the same node
//   3. order in each layer: by the barycenter of the neighbours, with several sweeps in both directions
//   4. heights: as close to the neighbours as the cards above and below allow
import { spreadApart } from './spread-apart.ts';

export type GraphEdge = { readonly from: string; readonly to: string };
export type LaidOutNode = {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly layer: number;
};
/** An edge from the right side of a card to the left side of another. */
export type LaidOutEdge<Edge> = {
  readonly edge: Edge;
  readonly points: readonly (readonly [x: number, y: number])[];
};
export type GraphLayout<Edge> = {
  readonly nodes: readonly LaidOutNode[];
  readonly edges: readonly LaidOutEdge<Edge>[];
  readonly width: number;
  readonly height: number;
  /** Vertical middle of each card and lane. */
  readonly middles: ReadonlyMap<string, number>;
};

export const card = { width: 200, height: 64, gapX: 64, gapY: 20 } as const;
const laneHeight = 8;
/** Maximum layers that an edge has lanes for; a longer edge is a straight line behind the cards. */
const maxLanes = 12;
const sweeps = 4;

/** A card, or a lane of an edge. */
type Slot = {
  readonly id: string;
  readonly layer: number;
  readonly height: number;
  readonly before: Slot[];
  readonly behind: Slot[];
  /** Index in its layer, and vertical position of its middle. */
  index: number;
  middle: number;
};

/**
 * Lays out nodes, given in the order of the file. Edges between unknown nodes are omitted.
 * @param before layout of the graph before an edit
 */
export function layoutGraph<Edge extends GraphEdge>(
  ids: readonly string[],
  edges: readonly Edge[],
  before?: Pick<GraphLayout<Edge>, 'middles'>,
): GraphLayout<Edge> {
  const layers = layersOf(ids, edges);
  const forward = edges.filter(({ from, to }) => (layers.get(from) ?? Infinity) < (layers.get(to) ?? -1));
  const slots = new Map(ids.map((id) => [id, slotAt(id, layers.get(id) ?? 0, card.height)]));
  const routes = joinSlots(slots, forward);
  const columns = columnsOf([...slots.values()]);
  if (before === undefined) {
    orderColumns(columns);
    setHeights(columns);
  } else stayNear(columns, before.middles);
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
      const route = routes.get(edge);
      return route === undefined ? [] : [{ edge, points: pointsOf(route) }];
    }),
    width: columns.length * (card.width + card.gapX) - (columns.length > 0 ? card.gapX : 0),
    height: Math.round(bottom - top),
    middles: new Map(all.map(({ id, middle }) => [id, middle])),
  };
}

const slotAt = (id: string, layer: number, height: number): Slot => ({
  id,
  layer,
  height,
  before: [],
  behind: [],
  index: 0,
  middle: 0,
});

const leftOf = ({ layer }: Slot): number => layer * (card.width + card.gapX);

/** Layer of each node: one after its last predecessor. */
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
  const minLayers = new Map<string, number>();
  const take = (id: string): void => {
    const layer = minLayers.get(id) ?? 0;
    layers.set(id, layer);
    for (const to of next.get(id) ?? []) {
      if (layers.has(to)) continue;
      minLayers.set(to, Math.max(minLayers.get(to) ?? 0, layer + 1));
      waits.set(to, (waits.get(to) ?? 0) - 1);
      if (waits.get(to) === 0) ready.push(to);
    }
  };
  for (let at = 0, left = 0; layers.size < known.size;) {
    const id = ready[at] ?? ids[left];
    if (ready[at] === undefined) left += 1;
    else at += 1;
    // A cycle starts at its first node in the file.
    if (id !== undefined && !layers.has(id)) take(id);
  }
  return layers;
}

/** A node with the lanes of its edges, layer by layer; its edges share `bends`. */
type Trunk = { readonly slots: Slot[]; bends?: readonly Bend[] };
/** The route of an edge: along the first `length` slots of the trunk, then to a node. */
type EdgeRoute = { readonly trunk: Trunk; readonly length: number; readonly to: Slot };

/** Connects slots of neighbouring layers, and returns the route of each edge. */
function joinSlots<Edge extends GraphEdge>(
  slots: Map<string, Slot>,
  edges: readonly Edge[],
): Map<Edge, EdgeRoute> {
  const routes = new Map<Edge, EdgeRoute>();
  /** The lanes of each node so far. */
  const trunks = new Map<Slot, Trunk>();
  for (const edge of edges) {
    const from = slots.get(edge.from);
    const to = slots.get(edge.to);
    if (from === undefined || to === undefined) continue;
    const trunk = trunks.get(from) ?? { slots: [from] };
    trunks.set(from, trunk);
    const last = to.layer - from.layer > maxLanes ? from.layer : to.layer;
    for (let layer = from.layer + trunk.slots.length; layer < last; layer += 1) {
      // Node ids contain no space, so that this id is unique.
      const lane = slotAt(`${from.id} ${layer}`, layer, laneHeight);
      slots.set(lane.id, lane);
      join(trunk.slots.at(-1), lane);
      trunk.slots.push(lane);
    }
    const length = Math.max(1, last - from.layer);
    join(trunk.slots[length - 1], to);
    routes.set(edge, { trunk, length, to });
  }
  return routes;
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

const number = (column: readonly Slot[]): void => column.forEach((slot, index) => (slot.index = index));

/** Orders each layer by the barycenters of the neighbours, which reduces crossings. */
function orderColumns(columns: readonly Slot[][]): void {
  for (let sweep = 0; sweep < sweeps; sweep += 1) {
    const isForward = sweep % 2 === 0;
    for (const column of isForward ? columns : columns.toReversed()) {
      const barycenters = new Map(
        column.map((slot) => [slot, barycenter(slot, isForward ? slot.before : slot.behind)]),
      );
      column.sort(
        (one, other) =>
          (barycenters.get(one) ?? 0) - (barycenters.get(other) ?? 0) || one.index - other.index,
      );
      number(column);
    }
  }
}

const barycenter = (slot: Slot, others: readonly Slot[]): number =>
  others.length === 0 ? slot.index : mean(others.map(({ index }) => index));

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

/** Puts each slot where it was before, and a new one close to its neighbours. */
function stayNear(columns: readonly Slot[][], middles: ReadonlyMap<string, number>): void {
  const known = new Map(middles);
  for (const column of columns) {
    for (const slot of column) {
      const others = [...slot.before, ...slot.behind].flatMap(({ id }) => known.get(id) ?? []);
      slot.middle = known.get(slot.id) ?? (others.length === 0 ? Infinity : mean(others));
    }
    const last = Math.max(0, ...column.map(({ middle }) => middle).filter(Number.isFinite));
    for (const slot of column) if (slot.middle === Infinity) slot.middle = last + card.height;
    column.sort((one, other) => one.middle - other.middle || one.index - other.index);
    number(column);
    settle(column, () => []);
    for (const { id, middle } of column) known.set(id, middle);
  }
}

/** Moves each slot as close to the middle of its neighbours as the slots above and below allow. */
function settle(column: readonly Slot[], othersOf: (slot: Slot) => readonly Slot[]): void {
  const middles = spreadApart(
    column.map((slot) => {
      const others = othersOf(slot);
      return {
        target: others.length === 0 ? slot.middle : mean(others.map(({ middle }) => middle)),
        size: slot.height,
      };
    }),
    card.gapY,
  );
  column.forEach((slot, at) => (slot.middle = middles[at] ?? 0));
}

type Point = readonly [x: number, y: number];
/** A bend of a trunk: out of the previous slot, into this one. */
type Bend = { readonly at: number; readonly out: Point; readonly into: Point };

function pointsOf({ trunk, length, to }: EdgeRoute): readonly Point[] {
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

/** SVG path of an edge: curved between layers, straight in its lanes. */
export function edgePath(points: LaidOutEdge<unknown>['points']): string {
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
