// Layouts of one graph while it is edited: each begins from the one before, so that an edit moves few cards. The same
// graph has the same layout, also when an undo brings it back.
import { layoutGraph, type GraphEdge, type GraphLayout } from './graph-layout.ts';

/** Layouts that are remembered: more than a user undoes in a row. */
const maxLayouts = 100;

export class StableLayout<Edge extends GraphEdge> {
  #last: GraphLayout<Edge> | undefined;
  readonly #known = new Map<string, GraphLayout<Edge>>();

  /** Layout of the nodes, which are in the order of the file. */
  layoutOf(ids: readonly string[], edges: readonly Edge[]): GraphLayout<Edge> {
    // Edges carry their kind, which is drawn.
    const key = JSON.stringify([ids, edges]);
    const layout = this.#known.get(key) ?? layoutGraph(ids, edges, this.#usableLayout(ids));
    this.#known.delete(key);
    this.#known.set(key, layout);
    for (const oldest of this.#known.keys()) if (this.#known.size > maxLayouts) this.#known.delete(oldest);
    this.#last = layout;
    return layout;
  }

  /** The last layout, unless too few of its nodes are left. */
  #usableLayout(ids: readonly string[]): GraphLayout<Edge> | undefined {
    const middles = this.#last?.middles;
    if (middles === undefined) return undefined;
    const isLeft = ids.filter((id) => middles.has(id)).length * 2 > ids.length;
    return isLeft ? this.#last : undefined;
  }
}
