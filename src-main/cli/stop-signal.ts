import { deferred } from '../base/deferred.ts';
import type { Clock } from '../base/clock.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** What a person (or a service manager) waits for before turning to harder means. Nothing accepted is lost by it. */
const patienceMs = 5000;

export type Stoppable = { readonly clock: Clock; readonly stop: () => Promise<void> };

/**
 * Resolves once a signal has come and `stop` has ended. A second signal ends the process at once, and so does a
 * stop that takes longer than five seconds.
 */
export async function untilStopped({ clock, stop }: Stoppable): Promise<void> {
  const asked = deferred();
  let isStopping = false;
  const onSignal = (): void => {
    if (isStopping) process.exit(130);
    isStopping = true;
    asked.resolve();
  };
  for (const signal of signals) process.on(signal, onSignal);
  await asked.promise;
  const cancel = clock.setTimer(patienceMs, () => process.exit(1));
  await stop();
  cancel();
  for (const signal of signals) process.off(signal, onSignal);
}
