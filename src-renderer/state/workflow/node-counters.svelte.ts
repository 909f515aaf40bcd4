// The node counts of a workflow's newest active run; the last counts stay after the run has ended.
import type { NodeStatisticsView, RunView } from '#contract';
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
  #isRequesting = false;
  #isStale = false;

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
    if (this.#runId === undefined) return;
    this.#isStale = true;
    void this.#request();
  }

  async #request(): Promise<void> {
    const runId = this.#runId;
    if (this.#isRequesting || !this.#isStale || runId === undefined) return;
    this.#isRequesting = true;
    this.#isStale = false;
    try {
      const { nodes } = await this.#session.call('run.nodes', { runId });
      if (runId === this.#runId) this.#nodes = nodes;
    } catch {
      // The run was removed or the server is unreachable: the counts on screen stay.
    }
    setTimeout(() => {
      this.#isRequesting = false;
      void this.#request();
    }, refreshEveryMs);
  }
}
