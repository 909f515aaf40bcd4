// Adds what the user picks to the graph: a node, a key of the chosen nodes, or the nodes of a template.
import { nodeEntries, type NodeEntry, type WorkflowEdit } from '#contract';
import type { ChosenNodes } from './chosen-nodes.svelte.ts';
import type { GraphEditRunner } from './graph-edit-runner.svelte.ts';
import {
  entryEdits,
  insertNodeEdits,
  nodesWithKey,
  waitedFor,
  withoutMargin,
  withOnlyNames,
  type OutlineEdgeView,
  type OutlineNodeView,
} from './graph-edits.ts';
import { NodeChain } from './node-chain.ts';

/** Where a new node goes: behind a node, on an edge, or at the end of the file. */
export type NodeInsertion = {
  readonly behind?: OutlineNodeView | undefined;
  readonly edge?: OutlineEdgeView;
};

/** An entry of the picker, and how it is written. */
export type PickedEntry = {
  readonly entry: NodeEntry;
  /** Id of a new node. */
  readonly id: string;
  /** On an edge: true if its target is to read the new node. */
  readonly isRewired: boolean;
};

type EntryTarget = {
  /** A free id for a new node, or the nodes that get a key; empty for a template. */
  readonly id: string;
  readonly hasNewId: boolean;
  /** True if all nodes have the key of the entry: then its value is changed. */
  readonly isThere: boolean;
};

export class NodePicker {
  readonly #runner: GraphEditRunner;
  readonly #chosen: ChosenNodes;
  readonly chain: NodeChain;

  constructor(runner: GraphEditRunner, chosen: ChosenNodes) {
    this.#runner = runner;
    this.#chosen = chosen;
    this.chain = new NodeChain(runner);
  }

  /** All entries. The keys of a new node name the table or the workflow, if there is only one. */
  async entries(): Promise<readonly NodeEntry[]> {
    const { deps, session } = this.#runner;
    const [types, names] = await Promise.all([deps.call('author.nodeTypes', {}), session?.ask('names', {})]);
    const entries = nodeEntries(types);
    return names === undefined ? entries : entries.map((entry) => withOnlyNames(entry, names));
  }

  targetOf(entry: NodeEntry): EntryTarget {
    if (entry.kind === 'template') return { id: '', hasNewId: false, isThere: false };
    const keyed = entry.kind === 'key' ? nodesWithKey(entry, this.#chosen.nodes) : [];
    const type = entry.kind === 'node' ? entry.type : 'set';
    if (entry.kind !== 'key' || keyed.length === 0)
      return { id: this.#runner.freeId(type), hasNewId: true, isThere: false };
    const isThere = keyed.every((node) => node[entry.key] !== undefined);
    return { id: keyed.map(({ id }) => id).join(', '), hasNewId: false, isThere };
  }

  /** Lines that the entry writes, or those of the key that is there; empty if the text changes meanwhile. */
  async linesOf(picked: PickedEntry, insertion: NodeInsertion): Promise<string> {
    const { entry } = picked;
    if (entry.kind === 'key' && this.targetOf(entry).isThere)
      return this.#chosen.nodes.map((node) => `${entry.key}: ${node[entry.key] ?? ''}`).join('\n');
    const plan = await this.#runner.planEdit(this.#edits(picked, insertion));
    if (plan?.refusal !== undefined) return plan.refusal.reason;
    const changes = plan?.files.flatMap((file) => file.changes) ?? [];
    return changes.map(({ insert }) => withoutMargin(insert)).join('\n…\n');
  }

  /** Writes the entry, and shows what it has added. */
  async add(picked: PickedEntry, insertion: NodeInsertion): Promise<void> {
    const { entry, id } = picked;
    const edits = this.#edits(picked, insertion);
    if (entry.kind === 'template') return this.#chosen.pasteBy(edits, `Add ${entry.title}`);
    const { hasNewId } = this.targetOf(entry);
    if (!(await this.#runner.edit(edits, `Add ${hasNewId ? id : entry.title}`))) return;
    if (hasNewId) this.#showNew(id, insertion);
    this.openFormOf(entry);
  }

  /** Gives the focus to the first required field of the selected node, or to the key of the entry. */
  openFormOf(entry: NodeEntry): void {
    const nodeId = this.#runner.deps.selected();
    if (nodeId !== undefined)
      this.#chosen.formToFocus = { nodeId, ...(entry.kind === 'key' ? { key: entry.key } : {}) };
    this.#runner.deps.openForm();
  }

  #showNew(id: string, { behind, edge }: NodeInsertion): void {
    this.chain.add(id, edge === undefined ? waitedFor(behind) : undefined);
    const between = edge && ` between ${edge.from} and ${edge.to}`;
    this.#runner.show(id, `Added ${id}${between ?? (behind === undefined ? '' : ` behind ${behind.id}`)}`);
  }

  #edits({ entry, id, isRewired }: PickedEntry, { behind, edge }: NodeInsertion): readonly WorkflowEdit[] {
    const target = edge && this.#runner.nodes.find((node) => node.id === edge.to);
    return edge === undefined || target === undefined || entry.kind !== 'node'
      ? entryEdits(entry, id, { behind, chosen: this.#chosen.nodes })
      : insertNodeEdits({ ...entry, id }, { edge, target, isRewired });
  }
}
