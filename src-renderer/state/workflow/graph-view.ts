// The window onto a graph: moved, and nearer or further away. Plain numbers, so that each move is tested without a page.

export type GraphView = { readonly x: number; readonly y: number; readonly scale: number };
type Size = { readonly width: number; readonly height: number };
type Box = Size & { readonly x: number; readonly y: number };

/** Nearer than life-size shows nothing more; further away no word can be read, but the whole can be seen. */
const scales = { least: 0.1, most: 1.5 } as const;
const margin = 20;

/** Smaller, the words on a card cannot be read. */
const minReadableScale = 0.66;

/**
 * The graph as one begins to read it: all of it if it can be read then, else its beginning.
 * @param start where its first node is in the height
 */
export function opened(graph: Size, window: Size, start = graph.height / 2): GraphView {
  const all = fitted(graph, window);
  if (all.scale >= minReadableScale) return all;
  const isHigher = graph.height * minReadableScale > window.height - 2 * margin;
  const middle = isHigher ? start : graph.height / 2;
  const y = window.height / 2 - middle * minReadableScale;
  return { scale: minReadableScale, x: margin, y };
}

/** All of the graph, in the middle; never larger than life. */
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

/** Nearer (or further away), while the point of the window that is given stays over the same place of the graph. */
export function zoomed(
  { x, y, scale }: GraphView,
  factor: number,
  point: { x: number; y: number },
): GraphView {
  const next = within(scale * factor);
  const by = next / scale;
  return { scale: next, x: point.x - (point.x - x) * by, y: point.y - (point.y - y) * by };
}

/** Moved no more than it takes to see the box. */
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

const within = (scale: number): number => Math.min(scales.most, Math.max(scales.least, scale));

/** Moved by an arrow key, so that more of its side comes into sight. */
export function panned(view: GraphView, key: string): GraphView {
  const by = 60;
  const x = key === 'ArrowLeft' ? by : key === 'ArrowRight' ? -by : 0;
  const y = key === 'ArrowUp' ? by : key === 'ArrowDown' ? -by : 0;
  return { ...view, x: view.x + x, y: view.y + y };
}
