import { deferred } from '../../base/deferred.ts';
import type { CancelTimer, Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { sleep } from '../../base/sleep.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Milliseconds from the signal to the end of the process, whatever the start or the stop waits for. */
const stopLimitMs = 9_800;
/** Milliseconds that threads have from the signal on to come to their end, and at least, once all else has stopped. */
const threadLimits = { fromSignal: 5_000, atLeast: 500 };
const lookMs = 20;

export type StopSignal = {
  /** Resolves when a first signal has come. From then on the process ends within ten seconds. */
  readonly requested: Promise<void>;
  /** Aborted when `requested` resolves. */
  readonly signal: AbortSignal;
  /**
   * Runs what is to be done then, and lets threads come to their end. The process is killed without it when that takes
   * too long. Nothing accepted is lost by it.
   */
  finish(stop: () => Promise<void>): Promise<void>;
};

/**
 * Listens for Ctrl-C and its like from now on: to be called before anything is started, so that no signal is
 * missed. A second one ends the process at once.
 */
export function listenForStop(clock: Clock, log: Log): StopSignal {
  const requested = deferred();
  const aborter = new AbortController();
  let cancelLimit: CancelTimer | undefined;
  let signalAt = 0;
  const killFor = (cause: string): void => {
    log.warn({}, `stop: the process is ended, since ${cause}`);
    killItself();
  };
  const onSignal = (): void => {
    if (cancelLimit !== undefined) killItself();
    signalAt = clock.monotonic();
    cancelLimit = clock.setTimer(stopLimitMs, () => killFor('the start or the stop took too long'));
    requested.resolve();
    aborter.abort();
  };
  for (const signal of signals) process.on(signal, onSignal);
  const finish = async (stop: () => Promise<void>): Promise<void> => {
    try {
      await stop();
    } finally {
      const { fromSignal, atLeast } = threadLimits;
      const limit = Math.max(signalAt + fromSignal, clock.monotonic() + atLeast);
      while (hasBusyThread() && clock.monotonic() < limit) await sleep(clock, lookMs);
      if (hasBusyThread()) killFor('a thread still waits for a file or a name');
      cancelLimit?.();
    }
  };
  return { requested: requested.promise, signal: aborter.signal, finish };
}

/** The result of a start; undefined if it failed after a signal to stop, which ends waits of it. */
export async function unlessStopped<T>({ signal }: StopSignal, starting: Promise<T>): Promise<T | undefined> {
  try {
    return await starting;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

/** Node's names for work that occupies a thread and cannot be cancelled. */
const threadWork = new Set(['FSReqCallback', 'FSReqPromise', 'GetAddrInfoReqWrap', 'GetNameInfoReqWrap']);

const hasBusyThread = (): boolean => process.getActiveResourcesInfo().some((name) => threadWork.has(name));

/** Not `process.exit`, which waits for threads that look up a name, or for a disk that stands still. */
export const killItself = (): void => void process.kill(process.pid, 'SIGKILL');
