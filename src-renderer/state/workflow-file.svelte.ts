// One workflow's file as the page shows it, read again whenever the server reports a changed workflow. The last graph
// stays until a newer one can be read, so that a file that is briefly invalid does not clear the user's view.
import type { WorkflowDetail, WorkflowSource } from '#contract';
import { ControlError } from '../api/control-error.ts';
import type { Session } from './session.svelte.ts';

type Graph = Pick<WorkflowSource, 'nodes' | 'edges' | 'edgesLeftOut'>;

export class WorkflowFile {
  readonly #session: Session;
  readonly #workflowId: string;
  #source = $state.raw<WorkflowSource>();
  #detail = $state.raw<WorkflowDetail>();
  #graph = $state.raw<Graph>({ nodes: [], edges: [], edgesLeftOut: 0 });
  #problem = $state.raw<Error>();
  #reading = 0;

  constructor(session: Session, workflowId: string) {
    this.#session = session;
    this.#workflowId = workflowId;
  }

  /** Undefined until it was read for the first time. */
  get source(): WorkflowSource | undefined {
    return this.#source;
  }

  get detail(): WorkflowDetail | undefined {
    return this.#detail;
  }

  /** The graph of the last text that had one. */
  get graph(): Graph {
    return this.#graph;
  }

  /** The text is so broken that no graph could be made of it: what is shown is of an earlier one. */
  get isGraphOld(): boolean {
    return this.#source?.nodes.length === 0 && this.#graph.nodes.length > 0;
  }

  /** There is no such file, or not any more. */
  get isGone(): boolean {
    return this.#problem instanceof ControlError && this.#problem.code === 'workflow_not_found';
  }

  get problem(): Error | undefined {
    return this.#problem;
  }

  /** Reads it as it is now; of several readings at once the last one counts. */
  async read(): Promise<void> {
    const reading = (this.#reading += 1);
    const wanted = { workflowId: this.#workflowId };
    try {
      const [source, detail] = await Promise.all([
        this.#session.call('workflow.source', wanted),
        this.#session.call('workflow.show', wanted),
      ]);
      if (reading !== this.#reading) return;
      this.#problem = undefined;
      this.#detail = detail;
      if (source.hash === this.#source?.hash && source.issues.length === this.#source.issues.length) return;
      this.#source = source;
      if (source.nodes.length > 0) this.#graph = source;
    } catch (error) {
      if (reading === this.#reading)
        this.#problem = error instanceof Error ? error : new Error(String(error));
    }
  }
}
