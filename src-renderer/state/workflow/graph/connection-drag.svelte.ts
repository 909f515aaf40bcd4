// A connection that the user drags from one card of a graph to another.
import { card, type LaidOutNode } from './graph-layout.ts';

type Point = { readonly x: number; readonly y: number };

export class ConnectionDrag {
  #from = $state<string>();
  #end = $state.raw<Point>({ x: 0, y: 0 });

  /** The node that the connection begins at; undefined while none is dragged. */
  get from(): string | undefined {
    return this.#from;
  }

  start(nodeId: string, end: Point): void {
    this.#from = nodeId;
    this.#end = end;
  }

  move(end: Point): void {
    this.#end = end;
  }

  /** Ends the drag. Returns the node that it began at. */
  finish(): string | undefined {
    const from = this.#from;
    this.#from = undefined;
    return from;
  }

  /**
   * The line to draw, in the graph: of the drag, or else of a connection that waits for its target.
   * @param waiting its first node, and the node that is selected
   */
  lineIn(
    nodes: readonly LaidOutNode[],
    waiting: { readonly from: string | undefined; readonly selected: string | undefined },
  ): { readonly from: Point; readonly to: Point } | undefined {
    const find = (id: string | undefined) => nodes.find((node) => node.id === id);
    const source = find(this.#from ?? waiting.from);
    if (source === undefined) return undefined;
    const from = { x: source.x + card.width, y: source.y + card.height / 2 };
    if (this.#from !== undefined) return { from, to: this.#end };
    const target = find(waiting.selected);
    if (target === undefined || target === source) return undefined;
    return { from, to: { x: target.x, y: target.y + card.height / 2 } };
  }
}
