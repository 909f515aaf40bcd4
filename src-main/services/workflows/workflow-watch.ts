// Scans the workflow files while a page is open, so that the page shows edits by itself. A scan reads each file's time
// and size, which works on every disk and network share; the system's change events do not.
import type { CancelTimer, Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { WorkflowService } from './workflow-service.ts';

type WatchDeps = {
  readonly workflows: Pick<WorkflowService, 'refresh'>;
  readonly clock: Clock;
  readonly log: Log;
};

/** Time between scans, in ms; a user takes longer to switch from the editor to the page. */
export const lookEveryMs = 1_000;

export class WorkflowWatch {
  readonly #deps: WatchDeps;
  #watchers = 0;
  #cancel: CancelTimer | undefined;

  constructor(deps: WatchDeps) {
    this.#deps = deps;
  }

  /** Passes the updates through, and scans the files while the caller reads them. */
  async *during<Update>(updates: AsyncIterable<Update>): AsyncGenerator<Update> {
    this.#watchers += 1;
    if (this.#watchers === 1) this.#wait();
    try {
      yield* updates;
    } finally {
      this.#watchers -= 1;
      if (this.#watchers === 0) this.#cancel?.();
    }
  }

  #wait(): void {
    this.#cancel?.();
    this.#cancel = this.#deps.clock.setTimer(lookEveryMs, () => void this.#look());
  }

  async #look(): Promise<void> {
    const { workflows, log } = this.#deps;
    await workflows
      .refresh()
      .catch((error: unknown) => log.warn({ error }, 'workflow files could not be read'));
    if (this.#watchers > 0) this.#wait();
  }
}
