// The window that shows a graph: which part of it, and how large. It follows the layout until the user moves it.
import { card, type GraphLayout } from './graph-layout.ts';
import { fitted, opened, panned, showing, zoomed, type GraphView } from './graph-view.ts';

type Point = { readonly x: number; readonly y: number };

export class GraphWindow {
  width = $state(0);
  height = $state(0);
  readonly #layout: () => GraphLayout<unknown>;
  #moved = $state.raw<GraphView>();
  #grabbed = $state.raw<{ readonly at: Point; readonly view: GraphView }>();

  constructor(layout: () => GraphLayout<unknown>) {
    this.#layout = layout;
  }

  readonly view: GraphView = $derived.by(() => {
    const [first] = this.#layout().nodes.toSorted((one, other) => one.layer - other.layer || one.y - other.y);
    return this.#moved ?? opened(this.#layout(), this, first && first.y + card.height / 2);
  });

  /** True while the user drags the graph. */
  get isGrabbed(): boolean {
    return this.#grabbed !== undefined;
  }

  /** Brings the node into sight. */
  show(nodeId: string): void {
    const position = this.#layout().nodes.find((each) => each.id === nodeId);
    if (position === undefined) return;
    const next = showing(this.view, { ...position, width: card.width, height: card.height }, this);
    if (next.x !== this.view.x || next.y !== this.view.y) this.#moved = next;
  }

  zoom(factor: number, point: Point = { x: this.width / 2, y: this.height / 2 }): void {
    this.#moved = zoomed(this.view, factor, point);
  }

  showAll(): void {
    this.#moved = fitted(this.#layout(), this);
  }

  pan(key: string): void {
    this.#moved = panned(this.view, key);
  }

  /** @param corner top left corner of the window on the page */
  wheel(event: WheelEvent, corner: { readonly left: number; readonly top: number }): void {
    if (event.ctrlKey || event.metaKey) {
      const point = { x: event.clientX - corner.left, y: event.clientY - corner.top };
      this.zoom(Math.exp(-event.deltaY / 300), point);
    } else this.#moved = { ...this.view, x: this.view.x - event.deltaX, y: this.view.y - event.deltaY };
  }

  grab(at: Point): void {
    this.#grabbed = { at, view: this.view };
  }

  drag(to: Point): void {
    if (this.#grabbed === undefined) return;
    const { at, view } = this.#grabbed;
    this.#moved = { ...view, x: view.x + to.x - at.x, y: view.y + to.y - at.y };
  }

  release(): void {
    this.#grabbed = undefined;
  }

  /** The point of the graph at a point of the window. */
  graphPoint(point: Point): Point {
    const { x, y, scale } = this.view;
    return { x: (point.x - x) / scale, y: (point.y - y) / scale };
  }
}
