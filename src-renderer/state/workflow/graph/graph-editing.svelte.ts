// Edits of a workflow in its graph: what the user asked for, the question that it needs first, and what it did. Every edit
// is a step of the text's undo. Nothing is edited while the file is only shown, or while its text is broken.
import { Mutex, type ConnectionField, type NodeRead, type WorkflowEdit } from '#contract';
import { Renaming } from '../files/renaming.ts';
import { BodyMoves } from './body-moves.ts';
import { ChosenNodes, type DeleteQuestion } from './chosen-nodes.svelte.ts';
import { GraphEditRunner, type GraphEditDeps } from './graph-edit-runner.svelte.ts';
import type { EdgeEnds, OutlineEdgeView, OutlineNodeView } from './graph-edits.ts';
import { NodeConnection } from './node-connection.svelte.ts';
import { NodePicker, type NodeInsertion, type PickedEntry } from './node-picker.ts';

/** A question that an edit needs answered before the text changes. */
export type GraphQuestion =
  /** Type and id of a new node. */
  | (NodeInsertion & { readonly kind: 'add'; readonly search?: string })
  | { readonly kind: 'edge'; readonly verb: EdgeVerb; readonly edges: readonly OutlineEdgeView[] }
  | (EdgeEnds & { readonly kind: 'field'; readonly fields: readonly ConnectionField[] })
  | (EdgeEnds & { readonly kind: 'cut'; readonly reads: readonly NodeRead[] })
  | DeleteQuestion
  | { readonly kind: 'condition' }
  | { readonly kind: 'moveBody'; readonly id: string }
  | { readonly kind: 'rename'; readonly renaming: Renaming };

type EdgeVerb = 'insert' | 'disconnect';

export class GraphEditing {
  /** The nodes of the graph, and its undo. */
  readonly runner: GraphEditRunner;
  readonly #mutex = new Mutex();
  readonly connection: NodeConnection;
  /** Its edits are of one node or of several. */
  readonly chosen: ChosenNodes;
  readonly picker: NodePicker;
  readonly bodies: BodyMoves;
  #question = $state.raw<GraphQuestion>();
  #edge = $state.raw<EdgeEnds>();

  constructor(deps: GraphEditDeps) {
    this.runner = new GraphEditRunner(deps);
    this.bodies = new BodyMoves(
      this.runner,
      () => this.#readyNode(),
      (id) => (this.#question = { kind: 'moveBody', id }),
    );
    this.connection = new NodeConnection(this.runner, (edge, fields) => {
      this.#question = { kind: 'field', ...edge, fields };
    });
    this.chosen = new ChosenNodes({
      runner: this.runner,
      isReady: () => this.#isReady(),
      ask: (question) => (this.#question = question),
    });
    this.picker = new NodePicker(this.runner, this.chosen);
  }

  get isEditing(): boolean {
    return this.runner.session !== undefined;
  }

  get question(): GraphQuestion | undefined {
    return this.#question;
  }

  /** The edge that is selected. */
  get edge(): EdgeEnds | undefined {
    return this.#edge;
  }

  /** Why the text cannot be edited by its nodes now. */
  get obstacle(): string | undefined {
    const line = this.runner.brokenLine;
    return line === undefined ? undefined : `Fix line ${line} first`;
  }

  goToObstacle(): void {
    const line = this.runner.brokenLine;
    if (line !== undefined) this.runner.deps.goToLine(line);
  }

  closeQuestion(): void {
    this.#question = undefined;
  }

  /** The user clicked on a node: it is the target of a connection that waits for one. */
  chooseNode(nodeId: string): void {
    this.#edge = undefined;
    void this.connection.takeTarget(nodeId);
  }

  chooseEdge(edge: EdgeEnds): void {
    this.#edge = edge;
    this.runner.show(undefined, `Edge from ${edge.from} to ${edge.to}`);
  }

  unchooseEdge(): void {
    this.#edge = undefined;
  }

  /** The graph has changed. */
  follow(): void {
    void this.picker.chain.follow();
    this.chosen.choosePasted();
  }

  /** Does as keys and menus ask, in their order: each begins with the graph of the text that the one before has left. */
  perform(act: () => void | Promise<void>): void {
    void this.#mutex.run(async () => {
      await this.runner.session?.catchUp();
      await act();
    });
  }

  /** @param search that the picker begins with */
  add(search = ''): void {
    if (this.#isReady()) this.#question = { kind: 'add', behind: this.runner.selectedNode, search };
  }

  /** Inserts a node on the edge, or on one of the selected node. */
  insert(edge = this.#edge): void {
    this.#onEdge('insert', edge);
  }

  /** Cuts the edge, or one of the selected node. */
  disconnect(edge = this.#edge): void {
    this.#onEdge('disconnect', edge);
  }

  /** Begins a connection from the selected node. */
  connect(): void {
    const node = this.#readyNode();
    if (node !== undefined) this.connection.start(node.id);
  }

  connectNodes(edge: EdgeEnds): void {
    if (this.#isReady()) void this.connection.connect(edge);
  }

  /** Moves the selected node in the file. */
  async move(by: -1 | 1): Promise<void> {
    const node = this.#readyNode();
    if (node === undefined) return;
    const to = node.index + by;
    if (to < 0 || this.runner.nodes.every(({ index }) => index < to)) {
      this.runner.announce(`${node.id} is the ${by < 0 ? 'first' : 'last'} node of the file`);
      return;
    }
    const where = by < 0 ? 'earlier' : 'later';
    if (await this.#edit([{ kind: 'moveNode', id: node.id, to }], `Move ${node.id} ${where}`))
      this.#show(node.id, `Moved ${node.id} ${where}: it is node ${to + 1} of the file`);
  }

  /** Puts the values of the selected node into the expressions that read them, and removes the node. */
  async inline(): Promise<void> {
    const node = this.#readyNode();
    if (node === undefined) return;
    if (await this.#edit([{ kind: 'inline', id: node.id }], `Inline ${node.id}`))
      this.runner.show(undefined, `Inlined ${node.id}`);
  }

  /** Deletes the chosen nodes, or cuts the selected edge. Asks first where other nodes read them. */
  async remove(): Promise<void> {
    if (this.#edge === undefined) await this.chosen.delete();
    else this.disconnect();
  }

  /** Deletes the nodes of the question. */
  async deleteRead(question: DeleteQuestion): Promise<void> {
    this.#question = undefined;
    await this.chosen.deleteRead(question);
  }

  /** Asks for the condition of the chosen nodes. */
  askCondition(): void {
    if (this.#readyNode() === undefined) return;
    if (this.chosen.conditionNodes.length > 0) this.#question = { kind: 'condition' };
    else this.runner.reportProblem('The input runs for every row: it cannot have a condition');
  }

  rename(): void {
    const { session, deps } = this.runner;
    const node = this.#readyNode();
    if (node === undefined || session === undefined) return;
    const { id: name } = node;
    const onrenamed = (newName: string): void => this.#show(newName, `Renamed ${name} to ${newName}`);
    const renaming = new Renaming({ call: deps.call, session, onrenamed }, { kind: 'node', name });
    this.#question = { kind: 'rename', renaming };
  }

  /** Adds what the user picked where the question stands. A key that all chosen nodes have is changed instead. */
  async addPicked(picked: PickedEntry): Promise<void> {
    const insertion = this.#question;
    if (insertion?.kind !== 'add') return;
    const { entry } = picked;
    this.#question = undefined;
    if (!this.picker.targetOf(entry).isThere) await this.picker.add(picked, insertion);
    else if (entry.kind === 'key' && entry.key === 'when') this.askCondition();
    else this.picker.openFormOf(entry);
    this.#edge = undefined;
  }

  async paste(text: string): Promise<void> {
    if (this.#isReady()) await this.chosen.paste(text, this.runner.selectedNode);
  }

  goToText(): void {
    const node = this.runner.selectedNode;
    if (node !== undefined) this.runner.deps.goToLine(node.first);
  }

  /** Opens the body of the selected node; for a node without one, its form. */
  open(): void {
    if (!this.runner.openBody() && this.#readyNode() !== undefined) this.runner.deps.openForm();
  }

  goToRead({ line }: NodeRead): void {
    this.#question = undefined;
    this.runner.deps.goToLine(line);
  }

  takeEdge(verb: EdgeVerb, edge: OutlineEdgeView): void {
    if (verb === 'insert') this.#question = { kind: 'add', edge };
    else void this.#cut(edge);
  }

  #readyNode(): OutlineNodeView | undefined {
    return this.#isReady() ? this.runner.selectedNode : undefined;
  }

  /** False if the text cannot be edited now; then the user sees why. */
  #isReady(): boolean {
    const { refusal } = this.runner.deps;
    const reason = this.isEditing ? this.obstacle : (refusal() ?? 'The files are still being opened');
    if (reason !== undefined) this.runner.reportProblem(reason);
    return reason === undefined;
  }

  #onEdge(verb: EdgeVerb, chosen: EdgeEnds | undefined): void {
    if (!this.#isReady()) return;
    const id = this.runner.selectedNode?.id;
    const edges = this.runner.edges.filter(({ from, to, kind }) =>
      chosen === undefined
        ? (from === id || to === id) && (verb === 'insert' || kind !== 'row')
        : from === chosen.from && to === chosen.to,
    );
    const [edge] = edges;
    if (edge === undefined)
      this.runner.announce(id === undefined ? 'No node is selected' : `${id} has no such edge`);
    else if (edges.length > 1) this.#question = { kind: 'edge', verb, edges };
    else this.takeEdge(verb, edge);
  }

  async #cut({ from, to, kind }: OutlineEdgeView): Promise<void> {
    this.#question = undefined;
    if (kind === 'row') {
      this.runner.reportProblem(`${to} reads no other node: it begins with the row of ${from}`);
      return;
    }
    const edit: WorkflowEdit = { kind: 'disconnect', from, to };
    const refusal = await this.runner.tryEdit([edit], `Disconnect ${to} from ${from}`);
    if (refusal === undefined) this.#show(to, `${to} no longer waits for ${from}`);
    else if (refusal.reads !== undefined) this.#question = { kind: 'cut', from, to, reads: refusal.reads };
    else this.runner.reportProblem(refusal.reason);
  }

  #edit(edits: readonly WorkflowEdit[], label: string): Promise<boolean> {
    this.#question = undefined;
    return this.runner.edit(edits, label);
  }

  #show(nodeId: string, announcement: string): void {
    this.#edge = undefined;
    this.runner.show(nodeId, announcement);
  }
}
