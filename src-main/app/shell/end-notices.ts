// Notifies the user of runs that ended while the window was not in focus. Runs that end together share one
// notification.
import type { Clock } from '../../base/clock.ts';
import { count, counted, outcomeText, type RunView } from '../../contract/index.ts';

export type Notice = {
  readonly title: string;
  readonly body: string;
  /** In the app. */ readonly path: string;
};

/** Runs that end within this time share one notice, in ms. */
export const gatherMs = 3000;
const longestBody = 200;

/** One notice for all of them; there is at least one. */
export function noticeOf(runs: readonly RunView[]): Notice {
  const [only] = runs;
  const failing = runs.filter(hasFailures).length;
  if (only !== undefined && runs.length === 1)
    return {
      title: `${only.workflowId}: ${outcomeText(only)}`,
      body: cut(only.error ?? `${count(only.rowsDone)} of ${counted(only.rows, 'row')} done`),
      path: `/runs/${only.runId}`,
    };
  return {
    title: `${runs.length} runs ended`,
    body: failing === 0 ? 'None has failures' : `${failing} with failures`,
    path: '/runs',
  };
}

const hasFailures = ({ status, rowsFailed }: RunView): boolean => status === 'failed' || rowsFailed > 0;

const cut = (text: string): string => (text.length <= longestBody ? text : `${text.slice(0, longestBody)}…`);

export class EndNotices {
  readonly #clock: Clock;
  readonly #show: (notice: Notice) => void;
  #gathered: RunView[] = [];

  constructor(clock: Clock, show: (notice: Notice) => void) {
    this.#clock = clock;
    this.#show = show;
  }

  add(run: RunView): void {
    if (this.#gathered.length === 0) this.#clock.setTimer(gatherMs, () => this.#notify());
    this.#gathered.push(run);
  }

  #notify(): void {
    const runs = this.#gathered;
    this.#gathered = [];
    this.#show(noticeOf(runs));
  }
}
