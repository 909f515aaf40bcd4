import { expect, it } from 'vitest';
import { layoutGraph } from '../../../../../src-renderer/state/workflow/graph/graph-layout.ts';
import { GraphWindow } from '../../../../../src-renderer/state/workflow/graph/graph-window.svelte.ts';

const ids = ['a', 'b', 'c', 'd', 'e'];
const layout = layoutGraph(
  ids,
  ids.slice(1).map((to, at) => ({ from: ids[at] ?? '', to })),
);

function openWindow(width: number): GraphWindow {
  const shown = new GraphWindow(() => layout);
  [shown.width, shown.height] = [width, 300];
  return shown;
}

it('a graph that shows a node fits again in a window of another size', () => {
  const shown = openWindow(300);
  shown.show('e');
  const narrow = shown.view;
  shown.width = 1_500;
  expect(shown.view).toEqual(openWindow(1_500).view);
  shown.width = 300;
  expect(shown.view).toEqual(narrow);
});

it('a graph that the user moved stays where it is in a window of another size', () => {
  const shown = openWindow(300);
  shown.show('e');
  shown.pan('ArrowLeft');
  const { view } = shown;
  shown.show('e');
  shown.width = 310;
  expect(shown.view.scale).toBe(view.scale);
  shown.showAll();
  const all = shown.view;
  shown.width = 600;
  expect(shown.view).toEqual(all);
});
