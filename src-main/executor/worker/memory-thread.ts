// Watches this process's resident size from a separate thread, where the main process cannot (macOS, Windows): computing
// author code blocks the main thread. The thread sleeps while no rows run.
import { Worker } from 'node:worker_threads';
import { maxResidentArgument, memoryWatchMs, residentLimitExceeded } from '../process/memory-limit.ts';

const idle = 0;
const busy = 1;

/**
 * The program of the thread. A thread cannot end its process with an exit code, so it writes the reason to the error output,
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
      // Without own arguments, the thread has the permissions of its process.
      env: {},
      // The thread only needs a few objects.
      resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 },
    });
    // A worker without a watcher must not run rows.
    thread.on('error', onFailed);
    thread.unref();
  }

  /** Starts the thread if this process should watch itself. @param onFailed called when the thread cannot watch */
  static start(onFailed: (error: unknown) => void): MemoryThread | undefined {
    const argument = process.argv.find((each) => each.startsWith(maxResidentArgument));
    if (argument === undefined) return undefined;
    return new MemoryThread(Number(argument.slice(maxResidentArgument.length)), onFailed);
  }

  /** Starts watching, since rows have arrived. */
  wake(): void {
    if (Atomics.exchange(this.#state, 0, busy) === idle) Atomics.notify(this.#state, 0);
  }

  /** Stops watching, since all rows are done. */
  sleep(): void {
    Atomics.store(this.#state, 0, idle);
  }
}
