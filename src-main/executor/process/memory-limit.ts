import type { CancelTimer, Clock } from '../../base/clock.ts';

// The limit of a row worker's whole memory. V8 only limits its heap: normalised or encoded texts, parsed JSON and compiled
// patterns take native memory outside it. So the resident size of a busy worker is watched: by the main process if the
// system has /proc (MemoryWatch), else by a thread inside the worker
// (worker/memory-thread.ts).

/**
 * Resident memory allowed above the heap limit, in MB: an idle worker takes 60 MB (most of it for Node itself), and the
 * heap limit does not count V8's space for new objects.
 */
const residentOverheadMb = 128;

/** Resident size beyond which a worker is ended, in bytes. @param memoryMb the setting `workerMemoryMb` */
export const maxResidentBytes = (memoryMb: number): number => (memoryMb + residentOverheadMb) * 1024 * 1024;

/** Interval between checks of a busy worker, in ms. Native code can fill 100 MB in this time. */
export const memoryWatchMs = 50;

/** The process or thread that watches a worker's resident size. */
export type MemoryWatcher = 'main-process' | 'worker-thread';

/** Command line argument that makes a worker watch itself; its value is the maximum in bytes. */
export const maxResidentArgument = '--max-resident-bytes=';

/** Arguments for the worker's program. */
export const workerArguments = (memoryMb: number, watcher: MemoryWatcher): string[] =>
  watcher === 'worker-thread' ? [`${maxResidentArgument}${maxResidentBytes(memoryMb)}`] : [];

/** The line that a worker writes to its error output before it ends itself. */
export const residentLimitExceeded = 'resident memory limit exceeded';

/** Looks at the resident size of a row worker while it is busy. */
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
