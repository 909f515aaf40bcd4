// Watches this process's resident size from a thread of its own, where the main process cannot (macOS, Windows): author
// code that computes leaves the main thread no moment to look. The thread sleeps while there is nothing to do.
import { Worker } from 'node:worker_threads';
import { maxResidentArgument, memoryWatchMs, residentLimitExceeded } from '../process/memory-limit.ts';

const idle = 0;
const busy = 1;

/**
 * A thread can end neither its process nor itself with an exit code that says why, so it writes why to the error output,
 * as the engine does when its heap is full, and kills the process.
 */
const program = `
const { workerData } = require('node:worker_threads');
const { writeSync } = require('node:fs');
const { state, maxBytes, message } = workerData;
for (;;) {
  Atomics.wait(state, 0, ${idle});
  Atomics.wait(state, 0, ${busy}, ${memoryWatchMs});
  if (process.memoryUsage.rss() > maxBytes) {
    writeSync(2, message);
    process.kill(process.pid, 'SIGKILL');
  }
}`;

export class MemoryThread {
  readonly #state = new Int32Array(new SharedArrayBuffer(4));

  private constructor(maxBytes: number, onFailed: (error: unknown) => void) {
    const thread = new Worker(program, {
      eval: true,
      workerData: { state: this.#state, maxBytes, message: `${residentLimitExceeded}\n` },
      // Without arguments of its own it is held to the permissions of its process.
      env: {},
      // It holds a few objects.
      resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 },
    });
    // A worker without a watcher must not run rows.
    thread.on('error', onFailed);
    thread.unref();
  }

  /** Starts the thread if this process was told to watch itself. `onFailed`: the thread cannot watch. */
  static start(onFailed: (error: unknown) => void): MemoryThread | undefined {
    const argument = process.argv.find((each) => each.startsWith(maxResidentArgument));
    if (argument === undefined) return undefined;
    return new MemoryThread(Number(argument.slice(maxResidentArgument.length)), onFailed);
  }

  /** Rows are coming, or at work. */
  wake(): void {
    if (Atomics.exchange(this.#state, 0, busy) === idle) Atomics.notify(this.#state, 0);
  }

  /** All rows are done. */
  sleep(): void {
    Atomics.store(this.#state, 0, idle);
  }
}
