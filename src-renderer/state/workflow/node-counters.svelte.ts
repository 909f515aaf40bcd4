// The node counts of a workflow's newest active run; the last counts stay after the run has ended.
import type { NodeStatisticsView, RunView } from '#contract';
import type { Session } from '../live/session.svelte.ts';

/** Minimum interval between requests: users could not read counts that change faster. */
const askEveryMs = 500;

/** The newest run of the workflow that is not at its end. `runs` are newest first. */
export const activeRunOf = (runs: readonly RunView[], workflowId: string): RunView | undefined =>
  runs.find((run) => run.workflowId === workflowId && run.finishedAt === null);

export class NodeCounters {
  readonly #session: Session;
  #runId = $state<string>();
  #nodes = $state.raw<readonly NodeStatisticsView[]>([]);
  #isAsking = false;
  #isStale = false;

  constructor(session: Session) {
    this.#session = session;
  }

  /** The run that is counted; undefined where none was under way. */
  get runId(): string | undefined {
    return this.#runId;
  }

  get nodes(): readonly NodeStatisticsView[] {
    return this.#nodes;
  }

  /** Follows the run, and asks once more for one that has ended. To be called with every change of it. */
  follow(run: RunView | undefined): void {
    if (run !== undefined && run.runId !== this.#runId) {
      this.#runId = run.runId;
      this.#nodes = [];
    }
    if (this.#runId === undefined) return;
    this.#isStale = true;
    void this.#ask();
  }

  async #ask(): Promise<void> {
    const runId = this.#runId;
    if (this.#isAsking || !this.#isStale || runId === undefined) return;
    this.#isAsking = true;
    this.#isStale = false;
    try {
      const { nodes } = await this.#session.call('run.nodes', { runId });
      if (runId === this.#runId) this.#nodes = nodes;
    } catch {
      // Its run was removed, or the server is away: the counts that are shown were true.
    }
    setTimeout(() => {
      this.#isAsking = false;
      void this.#ask();
    }, askEveryMs);
  }
}
