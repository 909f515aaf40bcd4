// The nodes that are chosen in the graph, one or several, and the edits that several can have: copy, duplicate, delete.
// The selected node is the last one that was chosen; once another node is selected, it is the only one.
import { counted, type NodeRead, type WorkflowEdit } from '#contract';
import type { GraphEditRunner } from './graph-edit-runner.svelte.ts';
import type { EditPlan } from '../files/editor-files.svelte.ts';
import type { OutlineNodeView } from './graph-edits.ts';
import { nodeWithId } from './open-body.ts';

/** Nodes that others read, before they are deleted. */
export type DeleteQuestion = {
  readonly kind: 'delete';
  readonly ids: readonly string[];
  readonly reads: readonly NodeRead[];
};

type ChosenNodesOptions = {
  readonly runner: GraphEditRunner;
  /** False if the text cannot be edited now; then the user sees why. */
  readonly isReady: () => boolean;
  readonly ask: (question: DeleteQuestion) => void;
};

export class ChosenNodes {
  readonly #options: ChosenNodesOptions;
  readonly #runner: GraphEditRunner;
  /** In the order of choice. */
  #ids = $state.raw<readonly string[]>([]);
  /** Nodes before a paste: the others are chosen once the graph has them. */
  #idsBeforePaste: readonly string[] | undefined;
  /** The node whose form takes the focus once it is shown: its first required field, or the field of a key. */
  formToFocus = $state.raw<{ readonly nodeId: string; readonly key?: string }>();

  constructor(options: ChosenNodesOptions) {
    this.#options = options;
    this.#runner = options.runner;
  }

  /** In the order of choice, the selected node last. */
  get ids(): readonly string[] {
    const selected = this.#runner.deps.selected();
    if (selected === undefined) return [];
    return this.#ids.at(-1) === selected ? this.#ids : [selected];
  }

  /** In the order of the file. */
  get nodes(): readonly OutlineNodeView[] {
    const { ids } = this;
    return this.#runner.nodes.filter(({ id }) => ids.includes(id));
  }

  get areSeveral(): boolean {
    return this.nodes.length > 1;
  }

  /** The chosen node by its id, or the number of nodes. */
  get name(): string {
    const { nodes } = this;
    return nodes.length === 1 ? (nodes[0]?.id ?? '') : counted(nodes.length, 'node');
  }

  /** Chooses these nodes alone, and selects the last one. */
  choose(
    ids: readonly string[],
    announcement = ids.length === 0
      ? 'No node chosen'
      : `${counted(ids.length, 'node')} chosen: ${ids.join(', ')}`,
  ): void {
    this.#ids = ids;
    this.#runner.show(ids.at(-1), announcement);
  }

  /** Chooses a node too, or no longer. */
  toggle(nodeId: string): void {
    const others = this.ids.filter((id) => id !== nodeId);
    this.choose(others.length < this.ids.length ? others : [...others, nodeId]);
  }

  /** Chooses a node too, and selects it. */
  extendTo(nodeId: string): void {
    this.choose([...this.ids.filter((id) => id !== nodeId), nodeId]);
  }

  chooseAll(): void {
    const last = this.ids.at(-1) ?? this.#runner.nodes.at(-1)?.id;
    const others = this.#runner.nodes.map(({ id }) => id).filter((id) => id !== last);
    if (last !== undefined) this.choose([...others, last]);
  }

  /** Chooses the nodes that have the condition of the selected one. */
  chooseFrame(): void {
    const { selectedNode, nodes } = this.#runner;
    const when = selectedNode?.when;
    if (selectedNode === undefined || when === undefined)
      this.#runner.announce(`${selectedNode?.id ?? 'This'} has no condition`);
    else {
      const others = nodes.filter((node) => node.when === when && node !== selectedNode);
      this.choose([...others.map(({ id }) => id), selectedNode.id]);
    }
  }

  /** The chosen nodes that can have a condition. */
  get conditionNodes(): readonly OutlineNodeView[] {
    return this.nodes.filter(({ type }) => type !== 'input');
  }

  /** Condition of the chosen nodes; empty if they have none, or different ones. */
  get condition(): string {
    return this.hasOneCondition ? (this.conditionNodes[0]?.when ?? '') : '';
  }

  /** True if the chosen nodes all have the same condition, or none. */
  get hasOneCondition(): boolean {
    const [first, ...others] = this.conditionNodes;
    return others.every(({ when }) => when === first?.when);
  }

  /** Gives all chosen nodes the condition, in one step, and gives the focus to the graph. @param when empty: they run always */
  async writeCondition(when: string): Promise<void> {
    const { nodes, name } = this;
    const edits = conditionEdits(this.conditionNodes, when);
    const ids = nodes.map(({ id }) => id);
    if (edits.length > 0 && (await this.#runner.edit(edits, `Condition of ${name}`)))
      this.choose(ids, when === '' ? `${name}: always` : `${name}: only if ${when}`);
  }

  /** Node whose form completes the condition and shows its value: the selected one, if it can have a condition. */
  get conditionNodeId(): string | undefined {
    const ids = this.conditionNodes.map(({ id }) => id);
    return ids.find((id) => id === this.#runner.deps.selected()) ?? ids.at(-1);
  }

  /** The changes that give these nodes the condition, of the text as it is; undefined if it changes. @param when empty: they run always */
  async planCondition(ids: readonly string[], when: string): Promise<EditPlan | undefined> {
    await this.catchUp();
    const { session } = this.#runner;
    const isBroken = session?.checked?.nodes.length === 0;
    if (session?.graph?.text !== session?.text && !isBroken) return undefined;
    const nodes = ids.flatMap((id) => nodeWithId(session?.graph?.nodes ?? [], id) ?? []);
    const edits = conditionEdits(nodes, when);
    return edits.length === 0 ? { files: [] } : session?.planEdit(edits);
  }

  /** Resolves once the nodes are those of the text; see `EditorSession.catchUp`. */
  async catchUp(): Promise<void> {
    await this.#runner.session?.catchUp();
  }

  /** Keeps only the selected node chosen. False if it was the only one. */
  chooseOne(): boolean {
    if (!this.areSeveral) return false;
    this.choose(this.ids.slice(-1));
    return true;
  }

  /** Text of the nodes for the clipboard. */
  copy(): string | undefined {
    const { nodes } = this;
    if (nodes.length === 0) return undefined;
    this.#runner.announce(`Copied ${this.name}`);
    return this.#text(nodes);
  }

  /** Adds the nodes of a text behind a node, or at the end. */
  async paste(text: string, behind: OutlineNodeView | undefined): Promise<void> {
    const edit: WorkflowEdit = { kind: 'pasteNodes', text, ...(behind && { index: behind.index + 1 }) };
    await this.pasteBy([edit], 'Paste');
  }

  /** Makes edits that add several nodes, which are chosen once the graph has them. */
  async pasteBy(edits: readonly WorkflowEdit[], label: string): Promise<void> {
    this.#idsBeforePaste = this.#runner.nodes.map(({ id }) => id);
    if (!(await this.#runner.edit(edits, label))) this.#idsBeforePaste = undefined;
  }

  /** Chooses the pasted nodes that the graph has now. */
  choosePasted(): void {
    const before = this.#idsBeforePaste;
    const pasted = this.#runner.nodes.map(({ id }) => id).filter((id) => before?.includes(id) === false);
    if (pasted.length === 0) return;
    this.#idsBeforePaste = undefined;
    this.choose(pasted, `Pasted ${pasted.join(', ')}`);
  }

  /** The page may not read the clipboard. */
  explainPaste(): void {
    this.#runner.reportProblem(
      'The browser does not let the page read the clipboard: press Ctrl V in the graph',
    );
  }

  async duplicate(): Promise<void> {
    const { nodes } = this;
    const last = nodes.at(-1);
    if (last === undefined || !this.#options.isReady()) return;
    if (nodes.length > 1) await this.paste(this.#text(nodes), last);
    else await this.#duplicate(last);
  }

  /** Asks first where other nodes read one of them. @param ids absent: of the chosen nodes */
  async delete(ids: readonly string[] = this.ids): Promise<void> {
    const there = this.#runner.nodes.flatMap(({ id }) => (ids.includes(id) ? [id] : []));
    if (there.length > 0 && this.#options.isReady()) await this.#delete(there, false);
  }

  /** Deletes nodes that others read, and selects the first of these. */
  async deleteRead({ ids, reads }: DeleteQuestion): Promise<void> {
    if (await this.#delete(ids, true)) this.#runner.deps.select(reads[0]?.id);
  }

  #text(nodes: readonly OutlineNodeView[]): string {
    const text = this.#runner.deps.text();
    return nodes.map((node) => nodeText(text, node)).join('');
  }

  async #duplicate({ id }: OutlineNodeView): Promise<void> {
    const newId = this.#runner.freeId(id);
    if (await this.#runner.edit([{ kind: 'duplicateNode', id, newId }], `Duplicate ${id}`))
      this.#runner.show(newId, `Duplicated ${id} as ${newId}`);
  }

  async #delete(ids: readonly string[], force: boolean): Promise<boolean> {
    const { session, deps, nodes } = this.#runner;
    const name = ids.length === 1 ? (ids[0] ?? '') : counted(ids.length, 'node');
    const at = nodes.findIndex(({ id }) => ids.includes(id));
    const neighbour = nodes[at - 1] ?? nodes.find(({ id }) => !ids.includes(id));
    const edit: WorkflowEdit = { kind: 'deleteNodes', ids, ...(force ? { force } : {}) };
    const refusal = await this.#runner.tryEdit([edit], `Delete ${name}`);
    if (refusal?.reads !== undefined) this.#options.ask({ kind: 'delete', ids, reads: refusal.reads });
    else if (refusal !== undefined) this.#runner.reportProblem(refusal.reason);
    if (refusal !== undefined) return false;
    deps.select(neighbour?.id);
    const after = session?.text;
    deps.toasts.done(`Deleted ${name}`, () => {
      if (session?.text === after) this.#runner.undo();
      else this.#runner.reportProblem('The text has changed since: undo step by step');
    });
    return true;
  }
}

const conditionEdits = (nodes: readonly OutlineNodeView[], when: string): readonly WorkflowEdit[] =>
  nodes.flatMap((node): readonly WorkflowEdit[] => {
    const path = [...node.path];
    if (node.when === undefined)
      return when === '' ? [] : [{ kind: 'insertKey', path, key: 'when', value: when }];
    if (when === '') return [{ kind: 'removeItem', path: [...path, 'when'] }];
    return node.when === when ? [] : [{ kind: 'setValue', path: [...path, 'when'], value: when }];
  });

// The text of a node as it goes to the clipboard: its lines with the comments right above, as an item of a list.

type Lines = { readonly first: number; readonly last: number };

/** @param lines of the node in the text, from 1, the last included */
function nodeText(text: string, { first, last }: Lines): string {
  const all = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const column = (all[first - 1] ?? '').search(/\S/);
  let from = first - 1;
  while (from > 0 && new RegExp(`^ {${column}}#`).test(all[from - 1] ?? '')) from -= 1;
  const lines = all
    .slice(from, last)
    .map((line) => (line.slice(0, column).trim() === '' ? line.slice(column) : line));
  if (lines[first - 1 - from]?.startsWith('-') === true) return `${lines.join('\n')}\n`;
  // An item in brackets.
  return `- ${lines.join('\n  ').replace(/,\s*$/, '')}\n`;
}
