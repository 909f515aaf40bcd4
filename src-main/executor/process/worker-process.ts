// A row worker's process as the executor sees it, whatever starts it.
import type { FromWorker, ToWorker } from '../protocol.ts';

export interface WorkerProcess {
  /** Does nothing once the process has ended. `onSent`: nothing of the message is held here any more. */
  send(message: ToWorker, onSent?: () => void): void;
  /** Computing time of the process so far, in ms; undefined where the system does not tell. */
  cpuMs(): number | undefined;
  /** Ends the process at once, whatever it does. `onExit` still follows. */
  kill(): void;
}

export type WorkerEvents = {
  readonly onMessage: (message: FromWorker) => void;
  /** Once, when the process has ended or could not be started. */
  readonly onExit: (exit: WorkerExit) => void;
};

export type WorkerExit = {
  readonly code: number | null;
  readonly signal: string | null;
  /** The end of what it wrote to its error output. */
  readonly errorText: string;
};

export type StartWorker = (events: WorkerEvents) => WorkerProcess;
