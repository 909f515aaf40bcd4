// One workflow's file as the page shows it, read again whenever the server reports a changed workflow. The last graph
// stays until a newer one can be read, so that a file that is briefly invalid does not clear the user's view.
import type { WorkflowDetail, WorkflowSource } from '#contract';
import { ControlError } from '../../api/control-error.ts';
import { Query } from '../query.svelte.ts';
import type { Session } from '../live/session.svelte.ts';

type Graph = Pick<WorkflowSource, 'nodes' | 'edges' | 'edgesLeftOut'>;

export class WorkflowFile {
  readonly #session: Session;
  readonly #workflowId: string;
  readonly #query = new Query<readonly [WorkflowSource, WorkflowDetail]>();
  #source = $state.raw<WorkflowSource>();
  #graph = $state.raw<Graph>({ nodes: [], edges: [], edgesLeftOut: 0 });

  constructor(session: Session, workflowId: string) {
    this.#session = session;
    this.#workflowId = workflowId;
  }

  /** Undefined until the file has been read for the first time. */
  get source(): WorkflowSource | undefined {
    return this.#source;
  }

  get detail(): WorkflowDetail | undefined {
    return this.#query.value?.[1];
  }

  /** The graph of the last readable text. */
  get graph(): Graph {
    return this.#graph;
  }

  /** True if the text is too broken for a graph, so that the graph of an earlier text is shown. */
  get isGraphOld(): boolean {
    return this.#source?.nodes.length === 0 && this.#graph.nodes.length > 0;
  }

  /** True if the file does not exist or has been removed. */
  get isGone(): boolean {
    const { problem } = this;
    return problem instanceof ControlError && problem.code === 'workflow_not_found';
  }

  get problem(): unknown {
    return this.#query.problem;
  }

  /** Reads the current file. */
  async read(): Promise<void> {
    const input = { workflowId: this.#workflowId };
    const answer = await this.#query.load(() =>
      Promise.all([this.#session.call('workflow.source', input), this.#session.call('workflow.show', input)]),
    );
    const source = answer?.[0];
    if (source === undefined) return;
    if (source.hash === this.#source?.hash && source.issues.length === this.#source.issues.length) return;
    this.#source = source;
    if (source.nodes.length > 0) this.#graph = source;
  }
}
