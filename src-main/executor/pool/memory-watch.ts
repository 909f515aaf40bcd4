// Looks at the resident size of a row worker while it is busy. Who calls: RowWorker, one watch for each.
import type { CancelTimer, Clock } from '../../base/clock.ts';
import { memoryWatchMs } from '../process/memory-limit.ts';

type MemoryWatchOptions = {
  readonly clock: Clock;
  readonly maxBytes: number;
  /** Current resident size in bytes; undefined if the system does not report it. */
  readonly residentBytes: () => number | undefined;
  readonly onExceeded: () => void;
};

export class MemoryWatch {
  readonly #options: MemoryWatchOptions;
  #isBusy = false;
  #cancel: CancelTimer | undefined;

  constructor(options: MemoryWatchOptions) {
    this.#options = options;
  }

  /** Checks every 50 ms from now on. Further calls are free and do not delay the next check. */
  start(): void {
    this.#isBusy = true;
    this.#cancel ??= this.#options.clock.setTimer(memoryWatchMs, () => this.#look());
  }

  /** The worker is idle. The timer stays until it fires: small runs start and stop the watch thousands of times a second. */
  stop(): void {
    this.#isBusy = false;
  }

  /** Stops for good. */
  close(): void {
    this.#isBusy = false;
    this.#cancel?.();
  }

  #look(): void {
    this.#cancel = undefined;
    if (!this.#isBusy) return;
    const { residentBytes, maxBytes, onExceeded } = this.#options;
    if ((residentBytes() ?? 0) <= maxBytes) return this.start();
    this.#isBusy = false;
    onExceeded();
  }
}
