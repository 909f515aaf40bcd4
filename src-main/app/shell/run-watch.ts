// Counts active and paused runs for the tray, the dock and the quit question.
import { counted, isFinal, type RunView } from '../../contract/index.ts';
import { runView } from '../../presenters/run-view.ts';
import type { RunService } from '../../services/runs/run-service.ts';

export type RunSummary = {
  /** Queued, running or on the way to a pause. */
  readonly active: number;
  readonly paused: number;
  /** Finished share of all rows of active runs, 0 to 1. */
  readonly progress: number;
};

/** Keeps those that have not ended; calls back for each that ends while it is watched. */
export class RunWatch {
  readonly #runs = new Map<string, RunView>();
  readonly #onEnded: (run: RunView) => void;

  constructor(onEnded: (run: RunView) => void) {
    this.#onEnded = onEnded;
  }

  /** Follows the runs of a service. @param onChange called after each change */
  follow(runs: RunService, onChange: () => void): void {
    runs.events.listen((record) => {
      this.hear(runView(record));
      onChange();
    });
    runs.retention.removals.listen((runId) => {
      this.forget(runId);
      onChange();
    });
  }

  hear(run: RunView): void {
    if (!isFinal(run.status)) {
      this.#runs.set(run.runId, run);
      return;
    }
    if (this.#runs.delete(run.runId)) this.#onEnded(run);
  }

  forget(runId: string): void {
    this.#runs.delete(runId);
  }

  get summary(): RunSummary {
    const runs = [...this.#runs.values()];
    const active = runs.filter(({ status }) => status !== 'paused');
    const rows = active.reduce((sum, run) => sum + run.rows, 0);
    const done = active.reduce((sum, run) => sum + run.rowsDone + (run.unsaved?.rowsDone ?? 0), 0);
    return {
      active: active.length,
      paused: runs.length - active.length,
      progress: rows === 0 ? 0 : done / rows,
    };
  }
}

/** `2 runs active, 1 paused`; `No runs active` */
export function summaryText({ active, paused }: RunSummary): string {
  const words = active === 0 ? 'No runs active' : `${counted(active, 'run')} active`;
  return paused === 0 ? words : `${words}, ${paused} paused`;
}
