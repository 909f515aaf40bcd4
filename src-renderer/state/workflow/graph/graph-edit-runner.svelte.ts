// Applies edits of the graph to the text that is edited, shows what they did, and says why one cannot be made.
import { errorText, freeNodeId, type EditResult, type WorkflowEdit } from '#contract';
import type { Session } from '../../live/session.svelte.ts';
import type { Toasts } from '../../toasts.svelte.ts';
import type { EditorSession } from '../files/editor-session.svelte.ts';
import { editsIn, nameWithin, ownerOfNode, idInList } from './open-body.ts';
import type { OutlineEdgeView, OutlineNodeView } from './graph-edits.ts';

export type GraphEditDeps = {
  readonly call: Session['call'];
  readonly toasts: Toasts;
  /** Undefined while the file is only shown. */
  readonly session: () => EditorSession | undefined;
  /** Why the file cannot be edited here. */
  readonly refusal: () => string | undefined;
  /** The text that the graph is of. */
  readonly text: () => string;
  readonly graph: () => {
    readonly nodes: readonly OutlineNodeView[];
    readonly edges: readonly OutlineEdgeView[];
  };
  readonly selected: () => string | undefined;
  readonly select: (nodeId: string | undefined) => void;
  /** Gives the focus to the graph. */
  readonly focus: () => void;
  /** Brings the line of the file into sight, with the caret; from 1. */
  readonly goToLine: (line: number) => void;
  /** Shows the form of the selected node, with the focus. */
  readonly openForm: () => void;
};

export class GraphEditRunner {
  readonly deps: GraphEditDeps;
  #announcement = $state('');

  constructor(deps: GraphEditDeps) {
    this.deps = deps;
  }

  /** Result of the last edit, for screen readers. */
  get announcement(): string {
    return this.#announcement;
  }

  get session(): EditorSession | undefined {
    return this.deps.session();
  }

  get nodes(): readonly OutlineNodeView[] {
    return this.deps.graph().nodes;
  }

  get edges(): readonly OutlineEdgeView[] {
    return this.deps.graph().edges;
  }

  get selectedNode(): OutlineNodeView | undefined {
    const id = this.deps.selected();
    return this.nodes.find((node) => node.id === id);
  }

  /** Line of the mistake that keeps the text from being edited by its nodes. */
  get brokenLine(): number | undefined {
    return this.session?.brokenLine;
  }

  /** The id, or a free one like it. */
  freeId(id: string): string {
    return freeNodeId(
      idInList(id),
      this.nodes.map((node) => idInList(node.id)),
    );
  }

  undo(): void {
    if (this.session?.undo() === true) this.announce('Undone');
    this.deps.focus();
  }

  redo(): void {
    if (this.session?.redo() === true) this.announce('Redone');
    this.deps.focus();
  }

  announce(text: string): void {
    this.#announcement = text;
  }

  reportProblem(text: string): void {
    this.deps.toasts.problem(new Error(text));
  }

  /** The changes of the edits; undefined if the text changes meanwhile. */
  planEdit(edits: readonly WorkflowEdit[]): ReturnType<EditorSession['planEdit']> | undefined {
    return this.session?.planEdit(editsIn(this.nodes, edits));
  }

  /** False for a node without a body. */
  openBody(): boolean {
    const { id, body } = this.selectedNode ?? {};
    const [inner] = body?.nodes ?? [];
    if (inner !== undefined) this.select(inner.id, `Opened the body of ${id}`);
    return inner !== undefined;
  }

  /** Goes back from a body to the nodes of the file. */
  leaveBody(): void {
    const owner = ownerOfNode(this.nodes[0]?.id);
    if (owner !== undefined) this.select(owner, `Left the body of ${owner}`);
  }

  /** Makes the edits in one step of undo. False if they are refused; then the user sees why. */
  async edit(edits: readonly WorkflowEdit[], label: string): Promise<boolean> {
    const refusal = await this.tryEdit(edits, label);
    if (refusal !== undefined) this.reportProblem(`${refusal.reason} (line ${refusal.line})`);
    return refusal === undefined;
  }

  /** Makes the edits in one step of undo; resolves to why they are refused. */
  async tryEdit(edits: readonly WorkflowEdit[], label: string): Promise<EditResult['refusal']> {
    try {
      return await this.session?.edit(editsIn(this.nodes, edits), label);
    } catch (error) {
      return { reason: errorText(error), line: 1 };
    } finally {
      this.deps.focus();
    }
  }

  /** Selects the node and says what was done to it. In a body, a new id is that of one of its nodes. */
  show(nodeId: string | undefined, announcement: string): void {
    this.select(nodeId && nameWithin(nodeId, ownerOfNode(this.nodes[0]?.id)), announcement);
  }

  /** Selects any node of the file. */
  select(nodeId: string | undefined, announcement: string): void {
    this.#announcement = announcement;
    this.deps.select(nodeId);
    this.deps.focus();
  }
}
