// Lets requests be answered while a long loop works in the server's main thread.

/** Maximum time of a piece of the loop, in ms. */
const maxTurnMs = 10;

/** Makes the function that such a loop awaits after each step; it gives up the thread when it has had it for long. */
export function eventLoopYield(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < maxTurnMs) return;
    await new Promise((resolve) => setImmediate(resolve));
    since = performance.now();
  };
}

/** Runs steps to their end, and lets requests be answered in between. Rejects with what a step throws. */
export async function runInPieces<Result>(steps: Generator<undefined, Result>): Promise<Result> {
  const yieldIfLong = eventLoopYield();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await yieldIfLong();
  }
}
