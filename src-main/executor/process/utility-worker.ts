// Starts row workers as Electron's utility processes, since fuses keep a packaged app from running as plain Node. They use
// the same frames, over the process's message port. A utility process has no permission model of Node; author code is
// confined by the compartment, the empty environment, the memory limit and the kill.
import { workerArguments, type MemoryWatcher } from './memory-limit.ts';
import { FrameReader, workerFrameLimits } from './frames.ts';
import { errorTextLimit, youngSpace } from './fork-worker.ts';
import { residentBytesOf, usualMemoryWatcher, cpuMsOf } from './resident-size.ts';
import { rowWorkerCodec } from './check-message.ts';
import type { ProcessCodec, StartWorker, WorkerEvents, WorkerProcess } from './worker-process.ts';

/** The part of Electron's `UtilityProcess` that is used here. */
export interface UtilityChild {
  readonly pid: number | undefined;
  readonly stderr: { on(event: 'data', listener: (bytes: Buffer) => void): unknown } | null;
  postMessage(message: unknown): void;
  kill(): boolean;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  on(event: 'exit', listener: (code: number) => void): unknown;
  on(event: 'error', listener: (type: 'FatalError', location: string, report: string) => void): unknown;
}

/** Electron's `utilityProcess.fork`. */
export type ForkUtility = (
  script: string,
  args: string[],
  options: {
    readonly env: Record<string, string>;
    readonly execArgv: string[];
    readonly stdio: ('pipe' | 'ignore')[];
    readonly serviceName: string;
  },
) => UtilityChild;

type UtilityOptions = {
  readonly script: string;
  readonly memoryMb: number;
  /** Default: the main process, if the system reports the memory of other processes. */
  readonly memoryWatcher?: MemoryWatcher;
};

export const utilityWorkers = (fork: ForkUtility, options: UtilityOptions): StartWorker =>
  utilityProcesses(fork, { ...options, name: 'Rowbench row worker' }, rowWorkerCodec);

/** Starts a process with messages of its own; systems show its name. */
export const utilityProcesses =
  <To, From>(
    fork: ForkUtility,
    {
      script,
      memoryMb,
      name,
      memoryWatcher = usualMemoryWatcher(),
    }: UtilityOptions & { readonly name: string },
    codec: ProcessCodec<To, From>,
  ): StartWorker<To, From> =>
  (events) =>
    startUtility(
      fork(script, workerArguments(memoryMb, memoryWatcher), {
        env: {},
        execArgv: [`--max-old-space-size=${memoryMb}`, youngSpace, '--no-warnings'],
        stdio: ['ignore', 'ignore', 'pipe'],
        serviceName: name,
      }),
      { codec, memoryMb, memoryWatcher },
      events,
    );

type UtilityDeps<To, From> = {
  readonly codec: ProcessCodec<To, From>;
  readonly memoryMb: number;
  readonly memoryWatcher: MemoryWatcher;
};

function startUtility<To, From>(
  child: UtilityChild,
  { codec, memoryMb, memoryWatcher }: UtilityDeps<To, From>,
  events: WorkerEvents<From>,
): WorkerProcess<To> {
  let errorText = '';
  let hasEnded = false;
  let isBelieved = true;
  const note = (text: string): void => {
    errorText = (errorText + text).slice(-errorTextLimit);
  };
  const kill = (): void => killHard(child);
  const reader = new FrameReader((head, parts) => {
    if (!hasEnded) events.onMessage(codec.decode(head, parts));
  }, workerFrameLimits(memoryMb));
  child.stderr?.on('data', (bytes: Buffer) => note(bytes.toString('utf8')));
  child.on('error', (type, location) => note(`${type} in ${location}\n`));
  child.on('message', (bytes) => {
    if (!isBelieved) return;
    try {
      reader.readBytes(bytesOf(bytes));
    } catch (error) {
      // The process is no longer our worker.
      isBelieved = false;
      note(`bad message: ${String(error)}`);
      kill();
    }
  });
  child.on('exit', (code) => {
    hasEnded = true;
    events.onExit({ code, signal: null, errorText });
  });
  return {
    send(message, onSent) {
      // The port copies the bytes.
      if (!hasEnded) for (const piece of codec.encode(message)) child.postMessage(piece);
      onSent?.();
    },
    cpuMs: () => (child.pid === undefined || hasEnded ? undefined : cpuMsOf(child.pid)),
    residentBytes: () =>
      child.pid !== undefined && memoryWatcher === 'main-process' && !hasEnded
        ? residentBytesOf(child.pid)
        : undefined,
    kill,
  };
}

function bytesOf(message: unknown): Buffer {
  if (!(message instanceof Uint8Array)) throw new TypeError('no bytes');
  return Buffer.from(message.buffer, message.byteOffset, message.byteLength);
}

/** Kills the process by its id: Electron's own kill is a request, which an endless loop never reads. */
function killHard(child: UtilityChild): void {
  if (child.pid === undefined) {
    child.kill();
    return;
  }
  try {
    process.kill(child.pid, 'SIGKILL');
  } catch {
    // The process is gone already; `exit` reports that.
    child.kill();
  }
}
