// Stops the parts of the app one after the other, each within a deadline. A part that hangs is logged and skipped, so
// that the process still ends. Who calls: start-app.ts and open-services.ts.
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';

export type StopStep = {
  /** The part that stops, as the log names it. */
  readonly name: string;
  /** Milliseconds that the step may take, beside those that the steps before it did not need. */
  readonly budgetMs: number;
  readonly stop: () => Promise<void>;
  /** true: left out when a step before it was left behind, which may still be using the part. */
  readonly onlyAfterAll?: boolean;
};

/**
 * Takes the sum of the budgets at most. A step that throws is logged, and the next one follows. What a step that was left
 * behind still does ends with the process.
 */
export async function stopInOrder(
  steps: readonly StopStep[],
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<void> {
  let deadline = clock.monotonic();
  let isComplete = true;
  for (const step of steps) {
    const began = clock.monotonic();
    deadline += step.budgetMs;
    if (step.onlyAfterAll === true && !isComplete) continue;
    if (await endsBefore(deadline, step, { clock, log })) continue;
    isComplete = false;
    const ms = Math.round(clock.monotonic() - began);
    log.warn(
      { step: step.name, ms },
      `stop: "${step.name}" did not end within ${ms / 1000} s and is left behind`,
    );
  }
}

type StopDeps = { readonly clock: Clock; readonly log: Log };

/** False when the deadline, in monotonic milliseconds, came first. */
function endsBefore(deadline: number, { name, stop }: StopStep, { clock, log }: StopDeps): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = clock.setTimer(Math.max(0, deadline - clock.monotonic()), () => resolve(false));
    const end = (): void => {
      cancel();
      resolve(true);
    };
    // Wrapped, so that a step that throws at once is a failed step too.
    Promise.resolve()
      .then(stop)
      .then(end, (error: unknown) => {
        log.error({ step: name, error }, `stop: "${name}" failed`);
        end();
      });
  });
}
