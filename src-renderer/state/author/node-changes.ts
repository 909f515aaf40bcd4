// Nodes of a draft that are not as they are in the saved file.
import type { OutlineNodeView } from './graph-edits.ts';

export type NodeChange = 'new' | 'changed';

/** A text with the nodes that were found in it. */
export type TextWithNodes = {
  readonly text: string;
  readonly nodes: readonly Pick<OutlineNodeView, 'id' | 'first' | 'last'>[];
};

export type NodeChanges = {
  /** Nodes of the draft, by id. */
  readonly marks: ReadonlyMap<string, NodeChange>;
  /** Ids of the saved nodes that the draft does not have. */
  readonly gone: readonly string[];
};

export const noNodeChanges: NodeChanges = { marks: new Map(), gone: [] };

export function nodeChanges(saved: TextWithNodes, draft: TextWithNodes): NodeChanges {
  if (saved.text === draft.text) return noNodeChanges;
  const before = linesOfNodes(saved);
  const after = linesOfNodes(draft);
  const marks = new Map<string, NodeChange>();
  for (const [id, lines] of after) {
    const old = before.get(id);
    if (old === undefined) marks.set(id, 'new');
    else if (old !== lines) marks.set(id, 'changed');
  }
  return { marks, gone: [...before.keys()].filter((id) => !after.has(id)) };
}

function linesOfNodes({ text, nodes }: TextWithNodes): ReadonlyMap<string, string> {
  const lines = text.split(/\r?\n/);
  return new Map(
    nodes.map(({ id, first, last }) => [
      id,
      lines
        .slice(first - 1, last)
        .join('\n')
        .trim(),
    ]),
  );
}
