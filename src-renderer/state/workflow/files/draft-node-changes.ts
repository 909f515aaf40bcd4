// Nodes of a draft that differ from the saved file.
import type { OutlineNodeView } from '../graph/graph-edits.ts';

export type NodeMark = 'new' | 'changed';

/** A text with the nodes that were found in it. */
type TextWithNodes = {
  readonly text: string;
  readonly nodes: readonly Pick<OutlineNodeView, 'id' | 'first' | 'last'>[];
};

export type DraftNodeChanges = {
  /** Nodes of the draft, by id. */
  readonly marks: ReadonlyMap<string, NodeMark>;
  /** Ids of the saved nodes that the draft does not have. */
  readonly gone: readonly string[];
};

export const noDraftNodeChanges: DraftNodeChanges = { marks: new Map(), gone: [] };

export function draftNodeChanges(saved: TextWithNodes, draft: TextWithNodes): DraftNodeChanges {
  if (saved.text === draft.text) return noDraftNodeChanges;
  const before = linesOfNodes(saved);
  const after = linesOfNodes(draft);
  const marks = new Map<string, NodeMark>();
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
