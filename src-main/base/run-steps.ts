/** Runs all steps at once. Throws what a step throws. */
export function runSteps<Result>(steps: Generator<undefined, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
