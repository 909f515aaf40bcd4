// A child process as the executor sees it, whatever starts it: a row worker, unless other messages are named.
import type { Frame } from './frames.ts';
import type { FromWorker, ToWorker } from '../protocol.ts';

export interface WorkerProcess<To = ToWorker> {
  /** Sends a message, unless the process has ended. `onSent`: the memory of the message may be reused. */
  send(message: To, onSent?: () => void): void;
  /** Computing time of the process so far, in ms; undefined if the system does not report it. */
  cpuMs(): number | undefined;
  /** Resident size of the process in bytes; undefined if the system does not report it or the worker watches it itself. */
  residentBytes(): number | undefined;
  /** Kills the process at once. `onExit` still follows. */
  kill(): void;
}

export type WorkerEvents<From = FromWorker> = {
  readonly onMessage: (message: From) => void;
  /** Called once, when the process has ended or could not be started. */
  readonly onExit: (exit: WorkerExit) => void;
};

export type WorkerExit = {
  readonly code: number | null;
  readonly signal: string | null;
  /** The end of its error output. */
  readonly errorText: string;
  /** The error with which the process could not be started. */
  readonly error?: Error | undefined;
};

export type StartWorker<To = ToWorker, From = FromWorker> = (events: WorkerEvents<From>) => WorkerProcess<To>;

/** The messages of one kind of process as frames. */
export type ProcessCodec<To, From> = {
  readonly encode: (message: To) => Frame;
  /** Decodes a message. Throws for one that the process would never send. */
  readonly decode: (head: unknown, parts: readonly Uint8Array[]) => From;
};
