import { InterruptedError } from './exit-code.ts';
import { killItself } from './kill-itself.ts';

const signals = ['SIGINT', 'SIGTERM'] as const;

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
