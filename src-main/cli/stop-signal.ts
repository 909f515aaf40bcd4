import { deferred } from '../base/deferred.ts';
import type { Clock } from '../base/clock.ts';
import { sleep } from '../base/sleep.ts';
import { killItself } from './kill-itself.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** What a person (or a service manager) waits for before turning to harder means. Nothing accepted is lost by it. */
const patienceMs = 5000;
const lookMs = 20;

export type StopSignal = {
  /** Resolves when a first signal has come. */
  readonly asked: Promise<void>;
  /**
   * Runs what is to be done then, and lets threads come to their end; when that takes longer than five seconds the
   * process is killed without it.
   */
  finish(stop: () => Promise<void>): Promise<void>;
};

/**
 * Listens for Ctrl-C and its like from now on: to be called before anything is started, so that no signal is
 * missed. A second one ends the process at once.
 */
export function listenForStop(clock: Clock): StopSignal {
  const asked = deferred();
  let isAsked = false;
  const onSignal = (): void => {
    if (isAsked) killItself();
    isAsked = true;
    asked.resolve();
  };
  for (const signal of signals) process.on(signal, onSignal);
  const finish = async (stop: () => Promise<void>): Promise<void> => {
    const cancel = clock.setTimer(patienceMs, killItself);
    try {
      await stop();
    } finally {
      while (hasBusyThread()) await sleep(clock, lookMs);
      cancel();
    }
  };
  return { asked: asked.promise, finish };
}

/** What waits for a thread of its own that cannot be called off; Node's names for it. */
const threadWork = new Set(['FSReqCallback', 'FSReqPromise', 'GetAddrInfoReqWrap', 'GetNameInfoReqWrap']);

const hasBusyThread = (): boolean => process.getActiveResourcesInfo().some((name) => threadWork.has(name));
