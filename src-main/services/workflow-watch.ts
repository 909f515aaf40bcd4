// Looks at the workflow files as long as somebody watches, so that an edit shows in open pages by itself. Looking is
// asking each file for its time and size: it works on every disk and share, where a system's own news of changes do not.
import type { CancelTimer, Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { WorkflowService } from './workflow-service.ts';

type WatchParts = {
  readonly workflows: Pick<WorkflowService, 'refresh'>;
  readonly clock: Clock;
  readonly log: Log;
};

/** Sooner than somebody has turned from the editor to the page. */
export const lookEveryMs = 1_000;

export class WorkflowWatch {
  readonly #parts: WatchParts;
  #watchers = 0;
  #cancel: CancelTimer | undefined;

  constructor(parts: WatchParts) {
    this.#parts = parts;
  }

  /** What is read, with the files looked at for as long as it is. */
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
    this.#cancel = this.#parts.clock.setTimer(lookEveryMs, () => void this.#look());
  }

  async #look(): Promise<void> {
    const { workflows, log } = this.#parts;
    await workflows
      .refresh()
      .catch((error: unknown) => log.warn({ error }, 'workflow files could not be read'));
    if (this.#watchers > 0) this.#wait();
  }
}
