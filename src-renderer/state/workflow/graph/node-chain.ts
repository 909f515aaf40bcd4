// Nodes that the picker added behind another one wait for it by `after`. Once such a node reads the other one, its `after`
// says nothing more: it goes, in the undo step of the read. An `after` that the user wrote stays.
import type { GraphEditRunner } from './graph-edit-runner.svelte.ts';
import type { OutlineNodeView } from './graph-edits.ts';
import { idInList } from './open-body.ts';

export class NodeChain {
  readonly #runner: GraphEditRunner;
  /** The node that each added node waits for, by the id of the added node. */
  readonly #before = new Map<string, string>();

  constructor(runner: GraphEditRunner) {
    this.#runner = runner;
  }

  /** @param before node that the added one waits for; undefined for none */
  add(id: string, before: string | undefined): void {
    if (before !== undefined) this.#before.set(id, before);
  }

  /** The graph has changed. */
  async follow(): Promise<void> {
    const { session, nodes, edges } = this.#runner;
    if (session?.graph === undefined || session.graph.text !== session.text) return;
    const edits = edges.flatMap(({ from, to, kind }) => {
      const node = nodes.find(({ id }) => id === to);
      const before = idInList(from);
      const isRead = this.#before.get(idInList(to)) === before && (kind === 'reads' || kind === 'when');
      if (!isRead || node === undefined || !waitsFor(node, before, session.text)) return [];
      return [{ kind: 'removeItem' as const, path: [...node.path, 'after'] }];
    });
    if (edits.length > 0) await session.edit(edits, 'Read a node', { joined: session.lastStep });
  }
}

/** True if the node has the line that the picker wrote. */
const waitsFor = ({ first, last }: OutlineNodeView, before: string, text: string): boolean =>
  text
    .split(/\r?\n/)
    .slice(first - 1, last)
    .some((line) => /^[\s-]*after: (\w+)\s*$/.exec(line)?.[1] === before);
