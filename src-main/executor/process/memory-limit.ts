// The limit of a row worker's whole memory. V8 bounds its heap alone: texts that are normalised or encoded, JSON that is
// parsed and patterns that are compiled take native memory beside it. So the resident size of a busy worker is watched:
// by the main process where the system has /proc (memory-watch.ts), elsewhere by a thread inside the worker
// (worker/memory-thread.ts).

/**
 * Resident memory beyond the heap limit, in MB: an idle worker has 60 MB (most of it Node's own program), and the heap
 * limit does not count V8's space for new objects.
 */
const residentOverheadMb = 128;

/** Resident size beyond which a worker is ended, in bytes. @param memoryMb the setting `workerMemoryMb` */
export const maxResidentBytes = (memoryMb: number): number => (memoryMb + residentOverheadMb) * 1024 * 1024;

/** Time between two looks at a busy worker, in ms: native code fills some 100 MB meanwhile. */
export const memoryWatchMs = 50;

/** The process or thread that watches a worker's resident size. */
export type MemoryWatcher = 'main-process' | 'worker-thread';

/** Command line argument of a worker that is to watch itself; its value is the maximum in bytes. */
export const maxResidentArgument = '--max-resident-bytes=';

/** Arguments for the worker's program. */
export const workerArguments = (memoryMb: number, watcher: MemoryWatcher): string[] =>
  watcher === 'worker-thread' ? [`${maxResidentArgument}${maxResidentBytes(memoryMb)}`] : [];

/** The line that a worker writes to its error output before it ends itself. */
export const residentLimitExceeded = 'resident memory limit exceeded';
