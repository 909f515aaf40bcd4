// The node counts of a workflow's newest active run; the last counts stay after the run has ended.
import type { NodeStatisticsView, RunView } from '#contract';
import { Refresher } from '../refresher.ts';
import type { Session } from '../live/session.svelte.ts';

/** Minimum interval between requests: users could not read counts that change faster. */
const refreshEveryMs = 500;

/** The newest unfinished run of the workflow. @param runs newest first */
export const activeRunOf = (runs: readonly RunView[], workflowId: string): RunView | undefined =>
  runs.find((run) => run.workflowId === workflowId && run.finishedAt === null);

export class NodeCounters {
  readonly #session: Session;
  #runId = $state<string>();
  #nodes = $state.raw<readonly NodeStatisticsView[]>([]);
  readonly #refresher = new Refresher(() => this.#request(), refreshEveryMs);

  constructor(session: Session) {
    this.#session = session;
  }

  /** Id of the run that is counted; undefined if none was active. */
  get runId(): string | undefined {
    return this.#runId;
  }

  get nodes(): readonly NodeStatisticsView[] {
    return this.#nodes;
  }

  /** Refreshes the counts soon. To be called with each change of the run, including its end. */
  follow(run: RunView | undefined): void {
    if (run !== undefined && run.runId !== this.#runId) {
      this.#runId = run.runId;
      this.#nodes = [];
    }
    if (this.#runId !== undefined) this.#refresher.refresh();
  }

  /** Sends no further request. */
  close(): void {
    this.#refresher.close();
  }

  async #request(): Promise<void> {
    const runId = this.#runId;
    if (runId === undefined) return;
    try {
      const { nodes } = await this.#session.call('run.nodes', { runId });
      if (runId === this.#runId) this.#nodes = nodes;
    } catch {
      // The run was removed or the server is unreachable: the counts on screen stay.
    }
  }
}
