import { InterruptedError } from '../exit-code.ts';
import { killItself } from './stop-signal.ts';

const signals = ['SIGINT', 'SIGTERM'] as const;
const endSignals = [...signals, 'SIGHUP'] as const;

/**
 * Runs something that can be cancelled: the first Ctrl-C (or SIGTERM) aborts its signal, a second one ends the
 * process at once. Throws an InterruptedError when the work gives up because of it.
 */
export async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const interrupt = (): void => {
    if (controller.signal.aborted) killItself();
    controller.abort();
  };
  for (const signal of signals) process.on(signal, interrupt);
  try {
    return await work(controller.signal);
  } catch (error) {
    throw controller.signal.aborted ? new InterruptedError('Cancelled', { cause: error }) : error;
  } finally {
    for (const signal of signals) process.off(signal, interrupt);
  }
}

/**
 * Runs work that cannot be cancelled, such as one long statement of SQLite. Ctrl-C and its like clean up, then end the
 * process at once by the same signal, as without a handler.
 */
export async function untilKilled<T>(cleanUp: () => void, work: () => Promise<T>): Promise<T> {
  const end = (signal: NodeJS.Signals): void => {
    process.off(signal, end);
    try {
      cleanUp();
    } finally {
      process.kill(process.pid, signal);
    }
  };
  for (const signal of endSignals) process.on(signal, end);
  try {
    return await work();
  } finally {
    for (const signal of endSignals) process.off(signal, end);
  }
}
