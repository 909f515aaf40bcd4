// Starts row workers as Electron's utility processes: a shipped app cannot run itself as plain Node, its fuses are off.
// They speak the same frames, over the process's message port. Node's permission model is not there in a utility
// process; what holds author code is the compartment, the empty environment, the heap limit and the kill.
import { FrameReader, frameToWorker, messageFromWorker } from '../frames.ts';
import { checkMessage } from './check-message.ts';
import { cpuMsOf } from './cpu-time.ts';
import { errorTextLimit, youngSpace } from './fork-worker.ts';
import type { StartWorker, WorkerEvents, WorkerProcess } from './worker-process.ts';

/** As much of Electron's `UtilityProcess` as is used here. */
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

export const utilityWorkers =
  (
    fork: ForkUtility,
    { script, memoryMb }: { readonly script: string; readonly memoryMb: number },
  ): StartWorker =>
  (events) =>
    startUtility(
      fork(script, [], {
        env: {},
        execArgv: [`--max-old-space-size=${memoryMb}`, youngSpace, '--no-warnings'],
        stdio: ['ignore', 'ignore', 'pipe'],
        serviceName: 'Rowbench row worker',
      }),
      events,
    );

function startUtility(child: UtilityChild, events: WorkerEvents): WorkerProcess {
  let errorText = '';
  let hasEnded = false;
  const note = (text: string): void => {
    errorText = (errorText + text).slice(-errorTextLimit);
  };
  const kill = (): void => killHard(child);
  const reader = new FrameReader((head, parts) => {
    if (!hasEnded) events.onMessage(checkMessage(messageFromWorker(head, parts)));
  });
  child.stderr?.on('data', (bytes: Buffer) => note(bytes.toString('utf8')));
  child.on('error', (type, location) => note(`${type} in ${location}\n`));
  child.on('message', (bytes) => {
    try {
      reader.push(bytesOf(bytes));
    } catch (error) {
      // What speaks there is no longer our worker.
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
      // The port copies what it is given.
      if (!hasEnded) for (const piece of frameToWorker(message)) child.postMessage(piece);
      onSent?.();
    },
    cpuMs: () => (child.pid === undefined || hasEnded ? undefined : cpuMsOf(child.pid)),
    kill,
  };
}

function bytesOf(message: unknown): Buffer {
  if (!(message instanceof Uint8Array)) throw new TypeError('no bytes');
  return Buffer.from(message.buffer, message.byteOffset, message.byteLength);
}

/** Electron's own kill asks; author code that computes without end does not listen. */
function killHard(child: UtilityChild): void {
  if (child.pid === undefined) {
    child.kill();
    return;
  }
  try {
    process.kill(child.pid, 'SIGKILL');
  } catch {
    // Gone already; its end is told by `exit`.
    child.kill();
  }
}
