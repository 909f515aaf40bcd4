// Pan and zoom of a graph, as plain numbers, so that tests need no page.

export type GraphView = { readonly x: number; readonly y: number; readonly scale: number };
type Size = { readonly width: number; readonly height: number };
type Box = Size & { readonly x: number; readonly y: number };

/** Limits of the zoom: at the smallest scale a card has room for eight characters of its name, 11 px high. */
const scales = { min: 0.3, max: 1.5 } as const;
const margin = 20;

/** Minimum scale at which all texts of a card can be read. */
const minFullScale = 0.7;
/** Scale of a graph that does not fit: the user pans it. */
const readableScale = 0.8;

/**
 * The initial view: the whole graph if its text has room then, else its start.
 * @param start vertical position of the first node
 */
export function opened(graph: Size, window: Size, start = graph.height / 2): GraphView {
  const all = fitted(graph, window);
  if (all.scale >= minFullScale) return all;
  const isHigher = graph.height * readableScale > window.height - 2 * margin;
  const middle = isHigher ? start : graph.height / 2;
  const y = window.height / 2 - middle * readableScale;
  return { scale: readableScale, x: margin, y };
}

/** The whole graph, centered, at a scale of at most 1. */
export function fitted(graph: Size, window: Size): GraphView {
  const room = {
    width: Math.max(1, window.width - 2 * margin),
    height: Math.max(1, window.height - 2 * margin),
  };
  const scale = within(
    Math.min(1, room.width / Math.max(1, graph.width), room.height / Math.max(1, graph.height)),
  );
  return {
    scale,
    x: Math.max(margin, (window.width - graph.width * scale) / 2),
    y: Math.max(margin, (window.height - graph.height * scale) / 2),
  };
}

/** Detail of a card at a scale: all its texts, or its name alone. */
export const cardDetail = (scale: number): 'all' | 'name' => (scale >= minFullScale ? 'all' : 'name');

/** Zooms in or out; the given point of the window stays over the same point of the graph. */
export function zoomed(
  { x, y, scale }: GraphView,
  factor: number,
  point: { x: number; y: number },
): GraphView {
  const next = within(scale * factor);
  const by = next / scale;
  return { scale: next, x: point.x - (point.x - x) * by, y: point.y - (point.y - y) * by };
}

/** Moves the view only as far as needed to show the box. */
export function showing(view: GraphView, box: Box, window: Size): GraphView {
  const move = (from: number, to: number, room: number): number => {
    if (from < margin) return margin - from;
    return to > room - margin ? -Math.min(to - room + margin, from - margin) : 0;
  };
  const [left, top] = [box.x * view.scale + view.x, box.y * view.scale + view.y];
  return {
    ...view,
    x: view.x + move(left, left + box.width * view.scale, window.width),
    y: view.y + move(top, top + box.height * view.scale, window.height),
  };
}

const within = (scale: number): number => Math.min(scales.max, Math.max(scales.min, scale));

/** Moves the view in the direction of an arrow key. */
export function panned(view: GraphView, key: string): GraphView {
  const by = 60;
  const x = key === 'ArrowLeft' ? by : key === 'ArrowRight' ? -by : 0;
  const y = key === 'ArrowUp' ? by : key === 'ArrowDown' ? -by : 0;
  return { ...view, x: view.x + x, y: view.y + y };
}
