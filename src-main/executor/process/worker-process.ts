// A child process as the executor sees it, whatever starts it: a row worker, unless other messages are named.
import type { Frame } from './frames.ts';
import type { FromWorker, ToWorker } from '../protocol.ts';

export interface WorkerProcess<To = ToWorker> {
  /** Does nothing once the process has ended. `onSent`: nothing of the message is held here any more. */
  send(message: To, onSent?: () => void): void;
  /** Computing time of the process so far, in ms; undefined where the system does not tell. */
  cpuMs(): number | undefined;
  /** Memory of the process that is in RAM, in bytes; undefined where the system does not tell, or the worker watches it itself. */
  residentBytes(): number | undefined;
  /** Ends the process at once, whatever it does. `onExit` still follows. */
  kill(): void;
}

export type WorkerEvents<From = FromWorker> = {
  readonly onMessage: (message: From) => void;
  /** Once, when the process has ended or could not be started. */
  readonly onExit: (exit: WorkerExit) => void;
};

export type WorkerExit = {
  readonly code: number | null;
  readonly signal: string | null;
  /** The end of what it wrote to its error output. */
  readonly errorText: string;
  /** The error with which the process could not be started. */
  readonly error?: Error | undefined;
};

export type StartWorker<To = ToWorker, From = FromWorker> = (events: WorkerEvents<From>) => WorkerProcess<To>;

/** The messages of one kind of process as frames. */
export type ProcessCodec<To, From> = {
  readonly encode: (message: To) => Frame;
  /** Throws for what the process would never send. */
  readonly decode: (head: unknown, parts: readonly Uint8Array[]) => From;
};
