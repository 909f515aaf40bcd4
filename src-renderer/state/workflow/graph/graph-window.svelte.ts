// The window that shows a graph: which part of it, and how large. It follows the layout until the user moves it.
import { card, type GraphLayout } from './graph-layout.ts';
import { fitted, opened, panned, showing, zoomed, type GraphView } from './graph-view.ts';

type Point = { readonly x: number; readonly y: number };

export class GraphWindow {
  width = $state(0);
  height = $state(0);
  readonly #layout: () => GraphLayout<unknown>;
  #moved = $state.raw<GraphView>();
  /** Node that was brought into sight in a window of this size, unless the user moved the graph since. */
  #brought = $state.raw<{ readonly nodeId: string; readonly width: number; readonly height: number }>();
  #grabbed = $state.raw<{ readonly at: Point; readonly view: GraphView }>();

  constructor(layout: () => GraphLayout<unknown>) {
    this.#layout = layout;
  }

  readonly view: GraphView = $derived.by(() => {
    const brought = this.#brought;
    // A window of another size begins anew, with that node in sight.
    const isResized =
      brought !== undefined && (brought.width !== this.width || brought.height !== this.height);
    if (this.#moved !== undefined && !isResized) return this.#moved;
    const [first] = this.#layout().nodes.toSorted((one, other) => one.layer - other.layer || one.y - other.y);
    const view = opened(this.#layout(), this, first && first.y + card.height / 2);
    return (brought && this.#showing(brought.nodeId, view)) ?? view;
  });

  /** True while the user drags the graph. */
  get isGrabbed(): boolean {
    return this.#grabbed !== undefined;
  }

  /** Brings the node into sight. */
  show(nodeId: string): void {
    const { view, width, height } = this;
    const next = this.#showing(nodeId, view);
    if (next === undefined || (next.x === view.x && next.y === view.y)) return;
    if (this.#moved === undefined || this.#brought !== undefined) this.#brought = { nodeId, width, height };
    this.#moved = next;
  }

  zoom(factor: number, point: Point = { x: this.width / 2, y: this.height / 2 }): void {
    this.#move(zoomed(this.view, factor, point));
  }

  showAll(): void {
    this.#move(fitted(this.#layout(), this));
  }

  pan(key: string): void {
    this.#move(panned(this.view, key));
  }

  /** @param corner top left corner of the window on the page */
  wheel(event: WheelEvent, corner: { readonly left: number; readonly top: number }): void {
    if (event.ctrlKey || event.metaKey) {
      const point = { x: event.clientX - corner.left, y: event.clientY - corner.top };
      this.zoom(Math.exp(-event.deltaY / 300), point);
    } else this.#move({ ...this.view, x: this.view.x - event.deltaX, y: this.view.y - event.deltaY });
  }

  grab(at: Point): void {
    this.#grabbed = { at, view: this.view };
  }

  drag(to: Point): void {
    if (this.#grabbed === undefined) return;
    const { at, view } = this.#grabbed;
    this.#move({ ...view, x: view.x + to.x - at.x, y: view.y + to.y - at.y });
  }

  release(): void {
    this.#grabbed = undefined;
  }

  /** Brings a point of the graph into the middle. */
  center({ x, y }: Point): void {
    const { scale } = this.view;
    this.#move({ scale, x: this.width / 2 - x * scale, y: this.height / 2 - y * scale });
  }

  /** The point of the graph at a point of the window. */
  graphPoint(point: Point): Point {
    const { x, y, scale } = this.view;
    return { x: (point.x - x) / scale, y: (point.y - y) / scale };
  }

  /** The user moves the graph. */
  #move(view: GraphView): void {
    this.#moved = view;
    this.#brought = undefined;
  }

  /** The view moved as far as the node needs; undefined if there is no such node. */
  #showing(nodeId: string, view: GraphView): GraphView | undefined {
    const position = this.#layout().nodes.find(({ id }) => id === nodeId);
    return position && showing(view, { ...position, width: card.width, height: card.height }, this);
  }
}
