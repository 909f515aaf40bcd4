// Keys of the graph and the outline that change no text: they choose nodes, and move the picture.
import type { GraphEditing } from '../../../state/workflow/graph/graph-editing.svelte.ts';
import { isGraphKey, type GraphKey } from '../../../state/workflow/graph/graph-walk.ts';
import type { GraphWindow } from '../../../state/workflow/graph/graph-window.svelte.ts';

type ShownNodes = {
  readonly selected: string | undefined;
  readonly editing: GraphEditing;
  readonly select: (nodeId: string | undefined) => void;
  /** The node that a key leads to. */
  readonly next: (key: GraphKey) => string | undefined;
  /** Brings a node into sight. */
  readonly show: (nodeId: string) => void;
  /** Absent for the outline. */
  readonly window?: GraphWindow;
};

const plainKeys: Readonly<Record<string, (window: GraphWindow) => void>> = {
  '+': (window) => window.zoom(1.25),
  '=': (window) => window.zoom(1.25),
  '-': (window) => window.zoom(0.8),
  '0': (window) => window.showAll(),
};

/** False if the key changes nothing of what is shown. */
export function pressViewKey(shown: ShownNodes, event: KeyboardEvent): boolean {
  const { key } = event;
  const { editing, selected, window, select } = shown;
  if (event.altKey) return false;
  if (event.ctrlKey || event.metaKey) return pressWithControl(shown, key);
  if (isGraphKey(key)) walk(shown, key, event.shiftKey);
  else if (key === 'Escape' && editing.chosen.chooseOne()) return true;
  else if (key === 'Escape' && (selected ?? editing.edge) !== undefined) {
    editing.unchooseEdge();
    select(undefined);
  } else return pressPlainKey(window, key);
  return true;
}

function pressPlainKey(window: GraphWindow | undefined, key: string): boolean {
  if (window === undefined || !Object.hasOwn(plainKeys, key)) return false;
  plainKeys[key]?.(window);
  return true;
}

function pressWithControl({ window, editing }: ShownNodes, key: string): boolean {
  if (isGraphKey(key) && window !== undefined) window.pan(key);
  else if (key === 'a') editing.chosen.chooseAll();
  else return false;
  return true;
}

/** @param isExtending true: the nodes before stay chosen */
function walk({ editing, select, next, show }: ShownNodes, key: GraphKey, isExtending: boolean): void {
  const nodeId = next(key);
  if (nodeId === undefined) return;
  editing.unchooseEdge();
  if (isExtending) editing.chosen.extendTo(nodeId);
  else select(nodeId);
  show(nodeId);
}
