// Keys of the graph that change no text: they choose nodes, and move the picture.
import type { GraphEditing } from '../../../state/workflow/graph/graph-editing.svelte.ts';
import type { GraphLayout } from '../../../state/workflow/graph/graph-layout.ts';
import { isGraphKey, walkGraph, type GraphKey } from '../../../state/workflow/graph/graph-walk.ts';
import type { GraphWindow } from '../../../state/workflow/graph/graph-window.svelte.ts';

type ShownGraph = {
  readonly window: GraphWindow;
  readonly layout: GraphLayout<unknown> & Parameters<typeof walkGraph>[0];
  readonly selected: string | undefined;
  readonly editing: GraphEditing;
  readonly select: (nodeId: string | undefined) => void;
};

const plainKeys: Readonly<Record<string, (window: GraphWindow) => void>> = {
  '+': (window) => window.zoom(1.25),
  '=': (window) => window.zoom(1.25),
  '-': (window) => window.zoom(0.8),
  '0': (window) => window.showAll(),
};

/** False if the key changes nothing of what is shown. */
export function pressViewKey(graph: ShownGraph, event: KeyboardEvent): boolean {
  const { key } = event;
  const { editing, selected, window, select } = graph;
  if (event.altKey) return false;
  if (event.ctrlKey || event.metaKey) return pressWithControl(graph, key);
  if (isGraphKey(key)) walk(graph, key, event.shiftKey);
  else if (key === 'Escape' && editing.chosen.chooseOne()) return true;
  else if (key === 'Escape' && (selected ?? editing.edge) !== undefined) {
    editing.unchooseEdge();
    select(undefined);
  } else if (Object.hasOwn(plainKeys, key)) plainKeys[key]?.(window);
  else return false;
  return true;
}

function pressWithControl({ window, editing }: ShownGraph, key: string): boolean {
  if (isGraphKey(key)) window.pan(key);
  else if (key === 'a') editing.chosen.chooseAll();
  else return false;
  return true;
}

/** @param isExtending true: the nodes before stay chosen */
function walk(
  { layout, selected, editing, window, select }: ShownGraph,
  key: GraphKey,
  isExtending: boolean,
): void {
  const next = walkGraph(layout, selected, key);
  if (next === undefined) return;
  editing.unchooseEdge();
  if (isExtending) editing.chosen.extendTo(next);
  else select(next);
  window.show(next);
}
