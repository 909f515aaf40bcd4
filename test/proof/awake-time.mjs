// Time without the waits for a core: what a thread computed, or waited for something else. Plain JavaScript, for a thread
// without a loader.
import { readFileSync } from 'node:fs';

/** Unit of the times in /proc/stat, in ms. */
const tickMs = 10;
/** Position of the stolen time in a core's line of /proc/stat. */
const stolenColumn = 8;

/** The thread that reads this path. */
export const thisThread = '/proc/thread-self';
export const mainThreadOf = (pid) => `/proc/${pid}/task/${pid}`;

/**
 * A moment: `queuedMs` is the time in which one of the threads could run but had no core, and `stolenMs` the time that the
 * host of a virtual machine took from each core. Zero where the system does not tell.
 */
export function momentOf(threads) {
  return {
    atMs: performance.now(),
    queuedMs: threads.reduce((sum, thread) => sum + queuedMs(thread), 0),
    stolenMs: read('/proc/stat')
      .split('\n')
      .filter((line) => /^cpu\d/.test(line))
      .map((line) => Number(line.split(' ')[stolenColumn] ?? 0) * tickMs),
  };
}

/** Time between two moments without the waits for a core, in ms. */
export function awakeMsBetween(from, to) {
  const stolen = to.stolenMs.map((ms, core) => ms - (from.stolenMs[core] ?? ms));
  return to.atMs - from.atMs - (to.queuedMs - from.queuedMs) - Math.max(0, ...stolen);
}

function queuedMs(thread) {
  return Number(read(`${thread}/schedstat`).split(' ')[1] ?? 0) / 1e6;
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
